# Compiles the kernels of `source`, a .cu file in the current folder, and puts their PTX into `target` as a string:
# `header` declares it as `extern const std::string_view ${name}` in `namespace`. The emulator runs it, and so does any
# GPU from compute capability 7.5 on.
function(warpgrade_embed_ptx target source header namespace name)
  cmake_path(GET source STEM stem)
  set(ptx ${CMAKE_CURRENT_BINARY_DIR}/${stem}.ptx)
  add_custom_command(
    OUTPUT ${ptx}
    COMMAND ${WARPGRADE_NVCC} -std=c++20 ${WARPGRADE_FEW_HEADERS} -O3 --expt-relaxed-constexpr -lineinfo -arch=compute_75 -ptx -I${CMAKE_SOURCE_DIR} -MD -MT ${ptx} -MF ${ptx}.d
            ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${ptx}
    DEPENDS ${source}
    DEPFILE ${ptx}.d
    COMMENT "Compiling the kernels of ${header}"
    VERBATIM)
  warpgrade_embed_files(${stem}_ptx.cc ${header} ${namespace} NAMES ${name} FILES ${ptx})
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${stem}_ptx.cc)
endfunction()
