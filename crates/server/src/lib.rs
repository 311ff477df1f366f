//! The binary: commands, configuration, telemetry, wiring, lifecycle.
