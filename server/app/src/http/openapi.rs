//! The interface as an `OpenAPI` document, made from the router's own table: a route cannot be
//! missing from it.

use std::any::TypeId;
use std::collections::BTreeMap;

use axum::Json;
use http::Method;
use utoipa::ToSchema;
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder};
use utoipa::openapi::path::{ParameterIn, Paths};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ComponentsBuilder, Object, Ref, Schema};
use utoipa::openapi::{Content, Info, OpenApi, OpenApiBuilder, RefOr, Required, ResponseBuilder};
use wire::ErrorReply;

use crate::auth::guard::Access;
use crate::router::{ROUTES, Route};

/// Adds a body's schema, and those it names, to a document. Answers its name; none for no body.
pub(crate) type Describe = fn(&mut Schemas) -> Option<String>;

/// Schemas by name.
pub(crate) type Schemas = BTreeMap<String, RefOr<Schema>>;

/// Describes a body. `()` is none.
pub(crate) fn describe<T: ToSchema + 'static>(schemas: &mut Schemas) -> Option<String> {
    if TypeId::of::<T>() == TypeId::of::<()>() {
        return None;
    }
    let name = T::name().into_owned();
    let mut parts = Vec::new();
    T::schemas(&mut parts);
    schemas.extend(parts);
    schemas.insert(name.clone(), T::schema());
    Some(name)
}

/// `GET /api/openapi.json`.
pub(crate) async fn document() -> Json<OpenApi> {
    std::future::ready(Json(made())).await
}

fn made() -> OpenApi {
    let mut schemas = Schemas::new();
    let mut paths = Paths::new();
    let failure = describe::<ErrorReply>(&mut schemas);
    for route in ROUTES {
        let operation = operation(route, failure.as_deref(), &mut schemas);
        paths.add_path_operation(route.path, vec![method(&route.method)], operation);
    }
    OpenApiBuilder::new()
        .info(Info::new("Glasshouse", crate::BUILD))
        .paths(paths)
        .components(Some(ComponentsBuilder::new().schemas_from_iter(schemas).build()))
        .build()
}

fn operation(route: &Route, failure: Option<&str>, schemas: &mut Schemas) -> Operation {
    let body = |name: &str| Content::new(Some(Ref::from_schema_name(name)));
    let takes = (route.takes)(schemas);
    let gives = (route.gives)(schemas);
    let good = match &gives {
        Some(name) => ResponseBuilder::new().content("application/json", body(name)),
        None => ResponseBuilder::new(),
    };
    let bad = ResponseBuilder::new().description("Refused, with a code and what to do.");
    let bad = match failure {
        Some(name) => bad.content("application/json", body(name)),
        None => bad,
    };
    let mut operation = OperationBuilder::new()
        .description(Some(asks(route.access)))
        .response("2XX", good.description("Done."))
        .response("default", bad);
    if let Some(name) = takes {
        let request = RequestBodyBuilder::new().content("application/json", body(&name)).build();
        operation = operation.request_body(Some(request));
    }
    if route.path.contains("{id}") {
        operation = operation.parameter(id());
    }
    operation.build()
}

fn id() -> Parameter {
    ParameterBuilder::new()
        .name("id")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .schema(Some(Object::with_type(utoipa::openapi::schema::Type::String)))
        .build()
}

fn asks(access: Access) -> &'static str {
    match access {
        Access::Anybody => "For anybody.",
        Access::Caller => "For whoever is signed in.",
        Access::Ticket => "A WebSocket, opened with a ticket by whoever is signed in.",
        Access::TicketOrCaller => {
            "A WebSocket, opened with a ticket; server-sent events without one. For whoever is \
             signed in."
        }
        Access::Local => "On the core's own socket alone.",
    }
}

fn method(method: &Method) -> HttpMethod {
    match *method {
        Method::POST => HttpMethod::Post,
        Method::PUT => HttpMethod::Put,
        Method::PATCH => HttpMethod::Patch,
        Method::DELETE => HttpMethod::Delete,
        _ => HttpMethod::Get,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_document_is_defined_in_it() {
        let text = serde_json::to_string(&made()).unwrap();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        let defined = document["components"]["schemas"].as_object().unwrap();
        let named = text.split("#/components/schemas/").skip(1);
        for name in named.filter_map(|rest| rest.split('"').next()) {
            assert!(defined.contains_key(name), "{name}");
        }
        let rooms = &document["paths"]["/api/rooms"];
        assert!(rooms["get"].is_object() && rooms["post"]["requestBody"].is_object());
    }
}
