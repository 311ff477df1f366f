use clap::Args;

/// For commands that use no database: the option of all others is not offered. It is still taken, so that one line of
/// options may go before every command.
#[derive(Debug, Args)]
pub struct NoDatabase {
    /// Has no effect.
    #[arg(long, hide = true, value_name = "URL")]
    pub database: Option<String>,
}
