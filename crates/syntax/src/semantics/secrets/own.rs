//! Detectors for tokens that gitleaks does not cover, based on the services' own documentation.

use super::detector::{Detector, Kind};

pub(super) static OWN: &[Detector] = &[
    form(
        "hunkwise-token",
        "Hunkwise access token",
        &["hw_"],
        r"\b(hw_[A-Za-z0-9]{36})\b",
    ),
    form(
        "aws-secret-key",
        "AWS secret access key",
        &["aws_secret", "awssecret"],
        AWS_SECRET,
    ),
    form(
        "azure-storage-key",
        "Azure storage account key",
        &["accountkey="],
        r"(?i:AccountKey)=([A-Za-z0-9+/]{86}==)",
    ),
    form(
        "cratesio-token",
        "crates.io token",
        &["cio"],
        r"\b(cio[A-Za-z0-9]{32})\b",
    ),
    form(
        "discord-bot-token",
        "Discord bot token",
        &["discord", "bot", "token"],
        r"\b([MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})(?:[^A-Za-z0-9_.-]|$)",
    ),
    form(
        "discord-webhook",
        "Discord webhook address",
        &["/api/webhooks/"],
        r"discord(?:app)?\.com/api/webhooks/([0-9]{17,20}/[A-Za-z0-9_-]{60,80})",
    ),
    form(
        "docker-hub-token",
        "Docker Hub access token",
        &["dckr_pat_", "dckr_oat_"],
        r"\b(dckr_[po]at_[A-Za-z0-9_-]{27,32})(?:[^A-Za-z0-9_-]|$)",
    ),
    form(
        "google-client-secret",
        "Google OAuth client secret",
        &["gocspx-"],
        r"\b(GOCSPX-[A-Za-z0-9_-]{28})(?:[^A-Za-z0-9_-]|$)",
    ),
    form(
        "groq-api-key",
        "Groq API key",
        &["gsk_"],
        r"\b(gsk_[A-Za-z0-9]{52})\b",
    ),
    form(
        "openrouter-api-key",
        "OpenRouter API key",
        &["sk-or-v1-"],
        r"\b(sk-or-v1-[0-9a-f]{64})\b",
    ),
    form(
        "replicate-api-token",
        "Replicate API token",
        &["r8_"],
        r"\b(r8_[A-Za-z0-9]{37})\b",
    ),
    form(
        "stripe-webhook-secret",
        "Stripe webhook signing secret",
        &["whsec_"],
        r"\b(whsec_[A-Za-z0-9+/]{32,64})\b",
    ),
    form(
        "supabase-access-token",
        "Supabase access token",
        &["sbp_"],
        r"\b(sbp_[0-9a-f]{40})\b",
    ),
    form(
        "telegram-bot-token",
        "Telegram bot token",
        &[":aa"],
        r"\b([0-9]{8,10}:AA[A-Za-z0-9_-]{33})(?:[^A-Za-z0-9_-]|$)",
    ),
];

const AWS_SECRET: &str = r#"(?i:aws_?secret(?:_?access)?_?key)["']?\]?\s*[:=]+>?\s*["']?([A-Za-z0-9/+]{40})(?:["'\s,;)]|$)"#;

const fn form(
    id: &'static str,
    title: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
) -> Detector {
    Detector {
        id,
        title,
        pattern,
        group: 0,
        keywords,
        entropy: 3.0,
        path: "",
        kind: Kind::Form,
        lines: false,
        allow: &[],
    }
}
