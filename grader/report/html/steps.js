// The page of `warpgrade explain --steps`.

setTitle(data.title, data.case);
byId("main").append(make("p", "", data.words), ...data.notes.map((note) => make("p", "quiet", note)),
                    stepper(data.steps, {at: data.at, level: 2, keysOf: document}));
startTheme();
