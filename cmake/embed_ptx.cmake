# Compiles the kernels of `source`, a .cu file in the current folder, and puts their PTX into `target` as a string:
# `header` declares it as `extern const std::string_view ${name}` in `namespace`. The emulator runs it, and so does any
# GPU from compute capability 7.5 on.
function(warpgrade_embed_ptx target source header namespace name)
  cmake_path(GET source STEM stem)
  set(ptx ${CMAKE_CURRENT_BINARY_DIR}/${stem}.ptx)
  set(text ${CMAKE_CURRENT_BINARY_DIR}/${stem}_ptx.cc)
  add_custom_command(
    OUTPUT ${ptx}
    COMMAND ${WARPGRADE_NVCC} -std=c++20 -O3 --expt-relaxed-constexpr -lineinfo -arch=compute_75 -ptx -I${CMAKE_SOURCE_DIR} -MD -MT ${ptx} -MF ${ptx}.d
            ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${ptx}
    DEPENDS ${source}
    DEPFILE ${ptx}.d
    COMMENT "Compiling the kernels of ${header}"
    VERBATIM)
  add_custom_command(
    OUTPUT ${text}
    COMMAND ${CMAKE_COMMAND} -DOUT=${text} -DHEADER=${header} -DNAMESPACE=${namespace} -DNAMES=${name}
            -DFILES=${ptx} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${ptx} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${text})
endfunction()
