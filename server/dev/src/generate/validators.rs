//! Turns the schemas of `server/wire` into TypeScript guards built from a few combinators.
//!
//! A guard checks what it is told and ignores fields it does not know, as the link does: a page
//! may be a little older than its core.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use wire::schema::Shape;

const COMBINATORS: &str = r#"
type Guard = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Guard>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/* @__NO_SIDE_EFFECTS__ */
const lazy =
  (guard: () => Guard): Guard =>
  (value) =>
    guard()(value);
const text: Guard = (value) => typeof value === "string";
const flag: Guard = (value) => typeof value === "boolean";
const real: Guard = (value) => typeof value === "number" && Number.isFinite(value);
const whole: Guard = (value) => Number.isSafeInteger(value);
const count: Guard = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
/* @__NO_SIDE_EFFECTS__ */
const word =
  (...words: readonly string[]): Guard =>
  (value) =>
    typeof value === "string" && words.includes(value);
/* @__NO_SIDE_EFFECTS__ */
const list =
  (guard: Guard): Guard =>
  (value) =>
    Array.isArray(value) && value.every(guard);
/* @__NO_SIDE_EFFECTS__ */
const fields =
  (required: Fields, optional: Fields): Guard =>
  (value) =>
    isObject(value) &&
    Object.entries(required).every(([name, guard]) => guard(value[name])) &&
    Object.entries(optional).every(
      ([name, guard]) => value[name] === undefined || guard(value[name]),
    );
/* @__NO_SIDE_EFFECTS__ */
const any =
  (...guards: readonly Guard[]): Guard =>
  (value) =>
    guards.some((guard) => guard(value));
/* @__NO_SIDE_EFFECTS__ */
const all =
  (...guards: readonly Guard[]): Guard =>
  (value) =>
    guards.every((guard) => guard(value));
"#;

/// The text of `validators.ts`.
pub(super) fn validators(shapes: &[Shape]) -> Result<String> {
    let mut out = String::from(super::HEAD);
    out.push_str("\nimport type * as types from \"./types.ts\";\n");
    out.push_str(COMBINATORS);
    out.push('\n');
    for shape in shapes {
        let guard = guard(&shape.schema).with_context(|| shape.name.clone())?;
        writeln!(out, "const {}: Guard = {guard};", constant(&shape.name))?;
    }
    for shape in shapes {
        let name = &shape.name;
        write!(
            out,
            "\nexport const is{name} = (value: unknown): value is types.{name} => {}(value);\n",
            constant(name)
        )?;
    }
    Ok(out)
}

/// `ErrorCode` → `errorCode`, the constant that holds its guard.
fn constant(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    format!("{}{}Guard", first.map(String::from).unwrap_or_default(), chars.as_str())
}

fn guard(schema: &Value) -> Result<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().context("a reference names a schema")?;
        return Ok(format!("lazy(() => {})", constant(name)));
    }
    for (key, combinator) in [("oneOf", "any"), ("anyOf", "any"), ("allOf", "all")] {
        if let Some(parts) = schema[key].as_array() {
            // `null` never stands on our wire: what is absent is left out.
            let parts = parts.iter().filter(|part| part["type"] != "null");
            let parts = parts.map(guard).collect::<Result<Vec<_>>>()?;
            return Ok(match parts.as_slice() {
                [one] => one.clone(),
                many => format!("{combinator}({})", many.join(", ")),
            });
        }
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<_> = words.iter().map(Value::to_string).collect();
        return Ok(format!("word({})", words.join(", ")));
    }
    match type_name(schema)? {
        "string" => Ok("text".into()),
        "boolean" => Ok("flag".into()),
        "number" => Ok("real".into()),
        "integer" if schema["minimum"].is_null() => Ok("whole".into()),
        "integer" => Ok("count".into()),
        "array" => Ok(format!("list({})", guard(&schema["items"])?)),
        "object" => object(schema),
        other => bail!("no guard for a schema of type {other}"),
    }
}

/// The one type that is not `null`.
fn type_name(schema: &Value) -> Result<&str> {
    match &schema["type"] {
        Value::String(name) => Ok(name),
        Value::Array(names) => names
            .iter()
            .filter_map(Value::as_str)
            .find(|name| *name != "null")
            .context("a type that is not null"),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            bail!("a schema without a type: {schema}")
        }
    }
}

fn object(schema: &Value) -> Result<String> {
    let required: Vec<_> = schema["required"].as_array().into_iter().flatten().collect();
    let mut parts = [Vec::new(), Vec::new()];
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if name.contains('_') {
            bail!("`{name}` is not in camelCase: add `rename_all` to its variant");
        }
        let optional = !required.iter().any(|required| *required == name);
        parts[usize::from(optional)].push(format!("{name}: {}", guard(property)?));
    }
    let [required, optional] = parts.map(|fields| match fields.as_slice() {
        [] => "{}".to_owned(),
        fields => format!("{{ {} }}", fields.join(", ")),
    });
    Ok(format!("fields({required}, {optional})"))
}
