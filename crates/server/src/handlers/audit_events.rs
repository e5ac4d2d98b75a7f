//! Audit events of an organization.

pub(crate) mod list;

use store::{Actor, names};

use super::written;
use crate::wire::audit_event::{self, ActorKind, AuditEvent};

/// An audit event as owners see it.
fn visible(event: store::AuditEvent) -> AuditEvent {
    let actor = match event.actor {
        Actor::User(user) => audit_event::Actor {
            kind: ActorKind::User,
            user_id: Some(user.to_string()),
        },
        Actor::CommandLine => audit_event::Actor {
            kind: ActorKind::CommandLine,
            user_id: None,
        },
    };
    AuditEvent {
        audit_event_id: event.id.to_string(),
        action: event.action.to_string(),
        actor,
        user_id: event.user.map(|user| user.to_string()),
        subject: event.subject,
        old_value: event.old_value.as_deref().map(escaped),
        new_value: event.new_value.as_deref().map(escaped),
        created_at: written(event.created_at),
    }
}

/// A value with invisible characters escaped, because old names may contain characters that are no longer allowed.
fn escaped(value: &str) -> String {
    names::plain(value).into_owned()
}
