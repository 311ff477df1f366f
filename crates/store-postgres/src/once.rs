//! Requests that are executed once: the key, the effect and the answer are one commit.
