//! What columns, kinds and statuses are called in English and Russian files, in lower case and
//! with single blanks between words.

use crate::config::Column;
use crate::domain::entry::{Kind, Status};
use crate::domain::key::KeyScheme;

/// Names of columns; every column also goes by its name in the configuration.
const COLUMNS: [(Column, &[&str]); 30] = [
    (
        Column::Amount,
        &[
            "amount",
            "sum",
            "value",
            "gross",
            "transaction amount",
            "сумма",
            "сумма операции",
            "сумма платежа",
        ],
    ),
    (
        Column::Debit,
        &[
            "debit",
            "debit amount",
            "money out",
            "paid out",
            "withdrawal",
            "дебет",
            "сумма по дебету",
            "списание",
            "расход",
        ],
    ),
    (
        Column::Credit,
        &[
            "credit",
            "credit amount",
            "money in",
            "paid in",
            "deposit",
            "кредит",
            "сумма по кредиту",
            "поступление",
            "приход",
        ],
    ),
    (
        Column::Mark,
        &[
            "d c",
            "c d",
            "dc",
            "debit credit",
            "credit debit",
            "cdtdbtind",
            "д к",
            "дт кт",
            "дебет кредит",
        ],
    ),
    (
        Column::Currency,
        &["currency", "ccy", "cur", "currency code", "валюта", "код валюты", "валюта операции"],
    ),
    (
        Column::Account,
        &[
            "account",
            "account number",
            "iban",
            "счет",
            "счёт",
            "номер счета",
            "номер счёта",
            "расчетный счет",
            "расчётный счёт",
        ],
    ),
    (
        Column::BookingDate,
        &[
            "date",
            "booked",
            "booked at",
            "booking date",
            "booked on",
            "posting date",
            "posted",
            "transaction date",
            "операционный день",
            "дата",
            "дата операции",
            "дата проводки",
            "дата платежа",
        ],
    ),
    (Column::ValueDate, &["value date", "valuta", "дата валютирования"]),
    (
        Column::Kind,
        &[
            "kind",
            "type",
            "transaction type",
            "operation type",
            "тип",
            "тип операции",
            "вид операции",
        ],
    ),
    (Column::Status, &["status", "state", "статус", "состояние"]),
    (
        Column::Party,
        &[
            "party",
            "counterparty",
            "payee",
            "payer",
            "beneficiary",
            "name",
            "контрагент",
            "получатель",
            "плательщик",
            "наименование контрагента",
        ],
    ),
    (
        Column::Text,
        &[
            "text",
            "description",
            "details",
            "narrative",
            "memo",
            "note",
            "purpose",
            "reference text",
            "назначение",
            "назначение платежа",
            "описание",
            "комментарий",
            "примечание",
        ],
    ),
    (
        Column::IntentKey,
        &["intent", "intent id", "payment id", "operation id", "ключ намерения", "ид платежа"],
    ),
    (
        Column::Key(KeyScheme::EndToEndId),
        &[
            "e2e",
            "e2e id",
            "endtoendid",
            "end to end",
            "end to end reference",
            "сквозной идентификатор",
        ],
    ),
    (Column::Key(KeyScheme::Uetr), &["uetr"]),
    (Column::Key(KeyScheme::InstructionId), &["instrid", "instruction"]),
    (
        Column::Key(KeyScheme::TransactionId),
        &["txid", "tx id", "transaction reference", "ид операции", "номер операции"],
    ),
    (
        Column::Key(KeyScheme::PaymentOrder),
        &[
            "order number",
            "payment order number",
            "document number",
            "номер документа",
            "номер платежного поручения",
            "номер платёжного поручения",
            "номер пп",
        ],
    ),
    (
        Column::Key(KeyScheme::ProviderReference),
        &["reference", "ref", "provider ref", "psp reference", "референс", "номер ссылки"],
    ),
    (Column::Key(KeyScheme::MerchantReference), &["merchant ref", "order id", "номер заказа"]),
    (
        Column::Key(KeyScheme::BatchId),
        &["batch", "payout id", "batch number", "реестр", "номер реестра"],
    ),
    (Column::Key(KeyScheme::AcquirerReference), &["arn", "acquirer reference number"]),
    (Column::Fee, &["fee", "commission", "charges", "комиссия"]),
    (Column::Rate, &["rate", "exchange rate", "fx rate", "курс"]),
    (Column::OriginalAmount, &["original amount", "instructed amount", "сумма в валюте операции"]),
    (Column::OriginalCurrency, &["original currency", "instructed currency"]),
    (
        Column::EventAt,
        &["event time", "created", "created at", "timestamp", "время операции", "дата и время"],
    ),
    (Column::Channel, &["channel", "канал"]),
    (Column::ClientKey, &["idempotency key", "ключ идемпотентности"]),
    (
        Column::Balance,
        &["balance", "running balance", "balance after", "остаток", "баланс", "сальдо"],
    ),
];

/// Words for kinds.
pub(super) const KINDS: [(&str, Kind); 34] = [
    ("payment", Kind::Payment),
    ("pay", Kind::Payment),
    ("sale", Kind::Payment),
    ("charge", Kind::Payment),
    ("capture", Kind::Payment),
    ("платеж", Kind::Payment),
    ("платёж", Kind::Payment),
    ("оплата", Kind::Payment),
    ("refund", Kind::Refund),
    ("ref", Kind::Refund),
    ("возврат", Kind::Refund),
    ("chargeback", Kind::Chargeback),
    ("dispute", Kind::Chargeback),
    ("чарджбэк", Kind::Chargeback),
    ("chargeback_reversal", Kind::ChargebackReversal),
    ("return", Kind::Return),
    ("возврат банка", Kind::Return),
    ("reversal", Kind::Reversal),
    ("отмена", Kind::Reversal),
    ("сторно", Kind::Reversal),
    ("fee", Kind::Fee),
    ("commission", Kind::Fee),
    ("комиссия", Kind::Fee),
    ("interest", Kind::Interest),
    ("проценты", Kind::Interest),
    ("payout", Kind::Payout),
    ("выплата", Kind::Payout),
    ("fx", Kind::Fx),
    ("adjustment", Kind::Adjustment),
    ("transfer", Kind::Transfer),
    ("перевод", Kind::Transfer),
    ("correction", Kind::Correction),
    ("исправление", Kind::Correction),
    ("other", Kind::Other),
];

/// Words for statuses.
pub(super) const STATUSES: [(&str, Status); 20] = [
    ("booked", Status::Booked),
    ("posted", Status::Booked),
    ("completed", Status::Booked),
    ("settled", Status::Booked),
    ("done", Status::Booked),
    ("проведен", Status::Booked),
    ("проведён", Status::Booked),
    ("исполнен", Status::Booked),
    ("исполнено", Status::Booked),
    ("pending", Status::Pending),
    ("processing", Status::Pending),
    ("в обработке", Status::Pending),
    ("refused", Status::Refused),
    ("rejected", Status::Refused),
    ("failed", Status::Refused),
    ("declined", Status::Refused),
    ("отклонен", Status::Refused),
    ("отклонён", Status::Refused),
    ("unknown", Status::Unknown),
    ("неизвестно", Status::Unknown),
];

/// How rows begin that sum up others.
pub(super) const TOTALS: [&str; 7] =
    ["Total", "TOTAL", "Totals", "Итого", "ИТОГО", "Всего", "ВСЕГО"];

/// What a column of this name stands for, in any case and with any punctuation.
pub(super) fn column_named(name: &str) -> Option<Column> {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
    let plain = words.map(str::to_lowercase).collect::<Vec<String>>();
    if let Ok(column) = Column::try_from(plain.join("_")) {
        return Some(column);
    }
    let plain = plain.join(" ");
    let found = COLUMNS.iter().find(|(_, names)| names.contains(&plain.as_str()));
    found.map(|(column, _)| *column)
}
