//! The families of tokens.
//!
//! The shapes follow the providers' and gitleaks' published rules with lower minimum lengths:
//! masking too much is cheap, letting one through is not.

/// The characters a token goes on with after its prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::redact) enum Class {
    /// Letters and digits.
    Alnum,
    /// Hexadecimal digits.
    Hex,
    /// Base 32 in capitals, as AWS uses it.
    Base32,
    /// Letters, digits, `_` and `-`.
    Word,
    /// Those and dots.
    Dotted,
    /// Both alphabets of base 64.
    Base64,
}

impl Class {
    /// Whether `byte` is of the class.
    pub(in crate::redact) fn has(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Base32 => byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte),
            Self::Word => is_word(byte),
            Self::Dotted => is_word(byte) || byte == b'.',
            Self::Base64 => is_word(byte) || matches!(byte, b'+' | b'/' | b'='),
        }
    }
}

/// A family of tokens.
#[derive(Debug)]
pub(in crate::redact) struct Anchor {
    /// The prefix, in its exact case.
    pub(in crate::redact) prefix: &'static str,
    /// `[redacted:KIND]`.
    pub(in crate::redact) tag: &'static str,
    /// What follows the prefix.
    pub(in crate::redact) class: Class,
    /// Fewest characters after the prefix.
    pub(in crate::redact) min: usize,
    /// What else must hold of the characters after the prefix.
    pub(in crate::redact) shape: Shape,
}

/// What a token must look like beyond its class and length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::redact) enum Shape {
    /// Nothing more.
    Run,
    /// No letter or digit may follow: the length is part of the shape.
    Bounded,
    /// Three parts, the second of which begins with `eyJ` too.
    Jwt,
    /// Two parts.
    TwoParts,
    /// A number of 8 to 10 digits stands before the prefix and belongs to it.
    AfterNumber,
}

const fn run(prefix: &'static str, tag: &'static str, class: Class, min: usize) -> Anchor {
    Anchor { prefix, tag, class, min, shape: Shape::Run }
}

const fn shaped(
    prefix: &'static str,
    tag: &'static str,
    class: Class,
    min: usize,
    shape: Shape,
) -> Anchor {
    Anchor { prefix, tag, class, min, shape }
}

const ANTHROPIC: &str = "[redacted:anthropic]";
const OPENAI: &str = "[redacted:openai]";
const GOOGLE_OAUTH: &str = "[redacted:google-oauth]";
const GITHUB: &str = "[redacted:github]";
const GITLAB: &str = "[redacted:gitlab]";
const SLACK: &str = "[redacted:slack]";
const AWS: &str = "[redacted:aws]";
const STRIPE: &str = "[redacted:stripe]";
const DIGITALOCEAN: &str = "[redacted:digitalocean]";
const VAULT: &str = "[redacted:vault]";
const DOCKER: &str = "[redacted:docker]";
const LINEAR: &str = "[redacted:linear]";
const OWN: &str = "[redacted:glasshouse]";

/// Every family. Of several that begin at one place the longest prefix is tried first.
pub(in crate::redact) const ANCHORS: &[Anchor] = &[
    run("sk-ant-", ANTHROPIC, Class::Word, 24),
    run("sk-proj-", OPENAI, Class::Word, 20),
    run("sk-svcacct-", OPENAI, Class::Word, 20),
    run("sk-admin-", OPENAI, Class::Word, 20),
    run("sk-service-", OPENAI, Class::Word, 20),
    run("sk-or-v1-", "[redacted:openrouter]", Class::Hex, 32),
    run("sk-", "[redacted:sk-key]", Class::Alnum, 20),
    run("AIza", "[redacted:google]", Class::Word, 35),
    run("ya29.", GOOGLE_OAUTH, Class::Dotted, 20),
    run("GOCSPX-", GOOGLE_OAUTH, Class::Word, 20),
    run("ghp_", GITHUB, Class::Alnum, 36),
    run("gho_", GITHUB, Class::Alnum, 36),
    run("ghu_", GITHUB, Class::Alnum, 36),
    run("ghs_", GITHUB, Class::Word, 36),
    run("ghr_", GITHUB, Class::Alnum, 36),
    run("github_pat_", GITHUB, Class::Word, 22),
    run("glpat-", GITLAB, Class::Dotted, 20),
    run("gldt-", GITLAB, Class::Dotted, 20),
    run("glrt-", GITLAB, Class::Dotted, 20),
    run("glcbt-", GITLAB, Class::Dotted, 20),
    run("glptt-", GITLAB, Class::Dotted, 20),
    run("glft-", GITLAB, Class::Dotted, 20),
    run("glsoat-", GITLAB, Class::Dotted, 20),
    run("glimt-", GITLAB, Class::Dotted, 20),
    run("glagent-", GITLAB, Class::Dotted, 20),
    run("gloas-", GITLAB, Class::Dotted, 20),
    run("glffct-", GITLAB, Class::Dotted, 20),
    run("xoxa-", SLACK, Class::Word, 20),
    run("xoxb-", SLACK, Class::Word, 20),
    run("xoxe-", SLACK, Class::Word, 20),
    run("xoxe.xoxp-", SLACK, Class::Word, 20),
    run("xoxe.xoxb-", SLACK, Class::Word, 20),
    run("xoxo-", SLACK, Class::Word, 20),
    run("xoxp-", SLACK, Class::Word, 20),
    run("xoxr-", SLACK, Class::Word, 20),
    run("xoxs-", SLACK, Class::Word, 20),
    run("xapp-", SLACK, Class::Word, 20),
    shaped("AKIA", AWS, Class::Base32, 16, Shape::Bounded),
    shaped("ASIA", AWS, Class::Base32, 16, Shape::Bounded),
    shaped("ABIA", AWS, Class::Base32, 16, Shape::Bounded),
    shaped("ACCA", AWS, Class::Base32, 16, Shape::Bounded),
    run("ABSK", AWS, Class::Base64, 60),
    run("sk_live_", STRIPE, Class::Alnum, 12),
    run("sk_test_", STRIPE, Class::Alnum, 12),
    run("sk_prod_", STRIPE, Class::Alnum, 12),
    run("rk_live_", STRIPE, Class::Alnum, 12),
    run("rk_test_", STRIPE, Class::Alnum, 12),
    run("rk_prod_", STRIPE, Class::Alnum, 12),
    run("whsec_", STRIPE, Class::Base64, 20),
    run("npm_", "[redacted:npm]", Class::Alnum, 36),
    run("pypi-AgE", "[redacted:pypi]", Class::Word, 40),
    run("hf_", "[redacted:hf]", Class::Alnum, 34),
    run("gsk_", "[redacted:groq]", Class::Alnum, 40),
    run("xai-", "[redacted:xai]", Class::Word, 40),
    run("pplx-", "[redacted:perplexity]", Class::Word, 40),
    shaped("SG.", "[redacted:sendgrid]", Class::Dotted, 40, Shape::TwoParts),
    run("dop_v1_", DIGITALOCEAN, Class::Hex, 40),
    run("doo_v1_", DIGITALOCEAN, Class::Hex, 40),
    run("dor_v1_", DIGITALOCEAN, Class::Hex, 40),
    run("hvs.", VAULT, Class::Word, 24),
    run("hvb.", VAULT, Class::Word, 24),
    run("hvr.", VAULT, Class::Word, 24),
    run("dckr_pat_", DOCKER, Class::Word, 20),
    run("dckr_oat_", DOCKER, Class::Word, 20),
    run("lin_api_", LINEAR, Class::Alnum, 32),
    run("lin_oauth_", LINEAR, Class::Alnum, 32),
    shaped("dapi", "[redacted:databricks]", Class::Hex, 32, Shape::Bounded),
    run("tskey-", "[redacted:tailscale]", Class::Word, 20),
    run("AGE-SECRET-KEY-1", "[redacted:age]", Class::Alnum, 50),
    shaped(":AA", "[redacted:telegram]", Class::Word, 32, Shape::AfterNumber),
    shaped("eyJ", "[redacted:jwt]", Class::Dotted, 24, Shape::Jwt),
    run("ght_", OWN, Class::Word, 20),
];

/// A letter, a digit, `_` or `-`.
pub(in crate::redact) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
