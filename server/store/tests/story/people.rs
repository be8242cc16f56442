//! Sign-ins.

use futures_util::future::join_all;
use store::{NewSignin, StoreError, TokenHash};
use wire::SigninId;

use crate::support::{NOW_MS, Place, random};

const QUARTER_HOUR_MS: i64 = 15 * 60 * 1000;

fn hash() -> TokenHash {
    let mut hash = [0; 32];
    hash[..16].copy_from_slice(&random());
    hash
}

fn new_signin(now_ms: i64) -> NewSignin {
    NewSignin { id: SigninId::from_random(random()), hash: hash(), now_ms }
}

pub(crate) async fn a_token_redeemed_by_a_hundred_at_once_signs_one_in(place: &Place) {
    let store = place.open().await;
    let (token, owner) = (hash(), store.owner().id);
    store.issue_signin_token(token, owner, NOW_MS, NOW_MS + QUARTER_HOUR_MS).await.unwrap();
    let tries = join_all((0..100).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.redeem_signin_token(token, new_signin(NOW_MS + 1)).await })
    }))
    .await;
    let mut signed_in = Vec::new();
    for result in tries {
        match result.unwrap() {
            Ok(signin) => signed_in.push(signin),
            Err(error) => assert!(matches!(error, StoreError::NotFound(_)), "{error:?}"),
        }
    }
    assert_eq!(signed_in.len(), 1);
    assert_eq!(store.signins(owner).await.unwrap(), signed_in);
}

pub(crate) async fn an_expired_token_signs_nobody_in(place: &Place) {
    let store = place.open().await;
    let (token, owner) = (hash(), store.owner().id);
    let until = NOW_MS + QUARTER_HOUR_MS;
    store.issue_signin_token(token, owner, NOW_MS, until).await.unwrap();
    let late = store.redeem_signin_token(token, new_signin(until)).await.unwrap_err();
    assert!(matches!(late, StoreError::Expired), "{late:?}");
    assert!(store.signins(owner).await.unwrap().is_empty());
    store.redeem_signin_token(token, new_signin(until - 1)).await.unwrap();

    // The next one to be issued sweeps those that ran out.
    let old = hash();
    store.issue_signin_token(old, owner, NOW_MS, until).await.unwrap();
    store.issue_signin_token(hash(), owner, until, until + 1).await.unwrap();
    let swept = store.redeem_signin_token(old, new_signin(NOW_MS)).await.unwrap_err();
    assert!(matches!(swept, StoreError::NotFound(_)), "{swept:?}");
}

pub(crate) async fn a_revoked_sign_in_is_nobody(place: &Place) {
    let store = place.open().await;
    let (token, owner) = (hash(), store.owner().id);
    store.issue_signin_token(token, owner, NOW_MS, NOW_MS + QUARTER_HOUR_MS).await.unwrap();
    let new = new_signin(NOW_MS);
    let signin = store.redeem_signin_token(token, new).await.unwrap();
    assert_eq!(signin.person, *store.owner());
    store.touch_signin(signin.id, NOW_MS + 5).await.unwrap();
    let known = store.signin(new.hash).await.unwrap().unwrap();
    assert_eq!((known.id, known.seen_ms), (signin.id, NOW_MS + 5));

    store.revoke_signin(signin.id, NOW_MS + 6).await.unwrap();
    store.revoke_signin(signin.id, NOW_MS + 7).await.unwrap();
    assert_eq!(store.signin(new.hash).await.unwrap(), None);
    assert_eq!(store.signin(hash()).await.unwrap(), None);
}
