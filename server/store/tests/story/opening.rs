//! Opening and closing.

use store::{Store, StoreError};

use crate::support::{Place, fresh, open};

pub(crate) async fn the_first_one_names_the_store(place: &Place) {
    let config = place.fresh().await;
    let first = fresh();
    let store = Store::open(&config, first).await.unwrap();
    assert_eq!(store.id(), first.store);
    assert_eq!(store.owner().id, first.owner);
    store.close().await;

    let again = open(&config).await;
    assert_eq!(again.id(), first.store);
    assert_eq!(again.owner().id, first.owner);
    again.ping().await.unwrap();
}

pub(crate) async fn two_openers_at_once_migrate_once(place: &Place) {
    let config = place.fresh().await;
    let opened = futures_util::future::join_all((0..4).map(|_| {
        let config = config.clone();
        async move { tokio::spawn(async move { open(&config).await }).await.unwrap() }
    }))
    .await;
    for store in &opened {
        assert_eq!(store.id(), opened[0].id());
        assert_eq!(store.owner(), opened[0].owner());
    }
}

pub(crate) async fn a_closed_store_says_it_is_down(place: &Place) {
    let store = place.open().await;
    store.close().await;
    let error = store.rooms().await.unwrap_err();
    assert!(matches!(error, StoreError::Down(_)), "{error:?}");
    let error = store.create_room(&crate::support::new_room("late")).await.unwrap_err();
    assert!(matches!(error, StoreError::Down(_)), "{error:?}");
}
