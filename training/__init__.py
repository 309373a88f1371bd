"""Training of the embedded judge: prepare, synthesise, train, calibrate, export, evaluate; one command each."""
