//! Usage: reviews, findings and model tokens by member and day. Counts only, no reviewed content.
//!
//! Days and totals are computed in the database: at most 366 rows, whatever the organization's size. Members are paginated, and only the
//! first page costs the total over all members.

use async_recursion::async_recursion as boxed;
use std::iter::Sum;

use crate::db::{BeginWrite, db, statements};
use crate::error::StoreError;
use crate::ids::{OrganizationId, UserId};
use crate::model_tokens::MAX_PER_REVIEW;
use crate::month::{Month, month_of};
use crate::store::Store;

statements! {
    /// Changes no row when the month's limit is reached. The row lock serializes concurrent reviews. It counts in the
    /// next month ($4) if any replica has begun it.
    COUNT_REVIEW_OF_MONTH = "INSERT INTO review_months (organization_id, user_id, month, reviews) \
        SELECT $1, $2, COALESCE(MAX(month), $3), 1 FROM review_months \
        WHERE organization_id = $1 AND user_id = $2 AND month BETWEEN $3 AND $4 \
        ON CONFLICT (organization_id, user_id, month) DO UPDATE SET reviews = review_months.reviews + 1 \
        WHERE review_months.reviews < $5 RETURNING month";
    COUNT_REVIEW_OF_DAY = "INSERT INTO usage_days (organization_id, user_id, day, reviews) \
        VALUES ($1, $2, $3, 1) \
        ON CONFLICT (organization_id, user_id, day) DO UPDATE SET reviews = usage_days.reviews + 1";
    RELEASE_REVIEW_OF_MONTH = "UPDATE review_months SET reviews = reviews - 1 \
        WHERE organization_id = $1 AND user_id = $2 AND month = $3 AND reviews > 0";
    RELEASE_REVIEW_OF_DAY = "UPDATE usage_days SET reviews = reviews - 1 \
        WHERE organization_id = $1 AND user_id = $2 AND day = $3 AND reviews > 0";
    RECORD_USAGE = "INSERT INTO usage_days (organization_id, user_id, day, \
        findings_p0, findings_p1, findings_p2, findings_p3, prompt_tokens, completion_tokens) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
        ON CONFLICT (organization_id, user_id, day) DO UPDATE SET \
        findings_p0 = usage_days.findings_p0 + excluded.findings_p0, \
        findings_p1 = usage_days.findings_p1 + excluded.findings_p1, \
        findings_p2 = usage_days.findings_p2 + excluded.findings_p2, \
        findings_p3 = usage_days.findings_p3 + excluded.findings_p3, \
        prompt_tokens = usage_days.prompt_tokens + excluded.prompt_tokens, \
        completion_tokens = usage_days.completion_tokens + excluded.completion_tokens";
    FIND_REVIEWS_OF_MONTH = "SELECT reviews FROM review_months \
        WHERE organization_id = $1 AND user_id = $2 AND month = $3";
    /// PostgreSQL's `SUM` returns a wider type than its input.
    LIST_USAGE_OF_DAYS = "SELECT day, CAST(SUM(reviews) AS BIGINT), \
        CAST(SUM(findings_p0) AS BIGINT), CAST(SUM(findings_p1) AS BIGINT), \
        CAST(SUM(findings_p2) AS BIGINT), CAST(SUM(findings_p3) AS BIGINT), \
        CAST(SUM(prompt_tokens) AS BIGINT), CAST(SUM(completion_tokens) AS BIGINT) FROM usage_days \
        WHERE organization_id = $1 AND day >= $2 AND day <= $3 GROUP BY day ORDER BY day";
    /// The key has the order of the groups, so the scan stops at the end of the page.
    LIST_USAGE_OF_MEMBERS = "SELECT used.user_id, users.name, used.reviews, used.p0, used.p1, used.p2, used.p3, \
        used.prompt, used.completion FROM (SELECT user_id, CAST(SUM(reviews) AS BIGINT) AS reviews, \
        CAST(SUM(findings_p0) AS BIGINT) AS p0, CAST(SUM(findings_p1) AS BIGINT) AS p1, \
        CAST(SUM(findings_p2) AS BIGINT) AS p2, CAST(SUM(findings_p3) AS BIGINT) AS p3, \
        CAST(SUM(prompt_tokens) AS BIGINT) AS prompt, CAST(SUM(completion_tokens) AS BIGINT) AS completion \
        FROM usage_days WHERE organization_id = $1 AND day >= $2 AND day <= $3 AND user_id > $4 \
        GROUP BY user_id ORDER BY user_id LIMIT $5) AS used \
        JOIN users ON users.id = used.user_id ORDER BY used.user_id";
}

/// The increments of one review.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsageDelta {
    /// Findings by priority, most urgent first.
    pub findings: [u64; 4],
    /// Model input tokens.
    pub prompt_tokens: u64,
    /// Model output tokens.
    pub completion_tokens: u64,
}

/// The counts of a period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Reviews started.
    pub reviews: u64,
    /// Findings by priority, most urgent first.
    pub findings: [u64; 4],
    /// Model input tokens.
    pub prompt_tokens: u64,
    /// Model output tokens.
    pub completion_tokens: u64,
}

impl Usage {
    /// Reviews, findings by priority, input and output tokens, in column order.
    fn stored([reviews, p0, p1, p2, p3, prompt, completion]: [i64; 7]) -> Self {
        let count = i64::unsigned_abs;
        Self {
            reviews: count(reviews),
            findings: [p0, p1, p2, p3].map(count),
            prompt_tokens: count(prompt),
            completion_tokens: count(completion),
        }
    }
}

impl Sum for Usage {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            reviews: sum.reviews.saturating_add(one.reviews),
            findings: std::array::from_fn(|priority| {
                sum.findings[priority].saturating_add(one.findings[priority])
            }),
            prompt_tokens: sum.prompt_tokens.saturating_add(one.prompt_tokens),
            completion_tokens: sum.completion_tokens.saturating_add(one.completion_tokens),
        })
    }
}

/// An organization's usage on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageOfDay {
    /// The day, `YYYY-MM-DD`.
    pub day: String,
    /// The counts.
    pub usage: Usage,
}

/// One member's usage over some days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageOfMember {
    /// The member, who may have left since.
    pub user_id: UserId,
    /// The member's name.
    pub user_name: String,
    /// The counts.
    pub usage: Usage,
}

type DayRow = (String, i64, i64, i64, i64, i64, i64, i64);
type MemberRow = (UserId, String, i64, i64, i64, i64, i64, i64, i64);

impl From<DayRow> for UsageOfDay {
    fn from((day, reviews, p0, p1, p2, p3, prompt, completion): DayRow) -> Self {
        Self {
            day,
            usage: Usage::stored([reviews, p0, p1, p2, p3, prompt, completion]),
        }
    }
}

impl From<MemberRow> for UsageOfMember {
    fn from((user_id, user_name, reviews, p0, p1, p2, p3, prompt, completion): MemberRow) -> Self {
        Self {
            user_id,
            user_name,
            usage: Usage::stored([reviews, p0, p1, p2, p3, prompt, completion]),
        }
    }
}

impl Store {
    /// Counts a review before it starts and returns the month in which it is counted; `None` if the member has used
    /// `limit_month` reviews in that month. The limit is exact under concurrent calls.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when `day` is not `YYYY-MM-DD`, [`StoreError::NotFound`] when there is no such
    /// organization or user; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn reserve_review(
        &self,
        organization: OrganizationId,
        user: UserId,
        day: &str,
        limit_month: Option<i64>,
    ) -> Result<Option<Month>, StoreError> {
        let month = Month::of_day(day)?;
        let limit = limit_month.unwrap_or(i64::MAX);
        // The upsert creates the month's first row without checking the limit.
        if limit <= 0 {
            return Ok(None);
        }
        let missing = |error| {
            StoreError::constraint(
                error, "the usage has already been counted", "organization or user",
            )
        };
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let count = sqlx::query_scalar(COUNT_REVIEW_OF_MONTH).bind(organization).bind(user);
            let count = count.bind(month.as_str()).bind(month.next()).bind(limit);
            let counted: Option<Month> = count.fetch_optional(&mut *transaction).await.map_err(missing)?;
            let Some(counted) = counted else { return Ok(None) };
            let count = sqlx::query(COUNT_REVIEW_OF_DAY).bind(organization).bind(user).bind(day);
            count.execute(&mut *transaction).await?;
            transaction.commit().await?;
            Ok(Some(counted))
        })
    }

    /// Cancels a reservation that [`Store::reserve_review`] made on that day and in that month, for a review that did
    /// not take place.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when `day` is not `YYYY-MM-DD`; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn release_review(
        &self,
        organization: OrganizationId,
        user: UserId,
        day: &str,
        month: &Month,
    ) -> Result<(), StoreError> {
        month_of(day)?;
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let release = sqlx::query(RELEASE_REVIEW_OF_MONTH).bind(organization).bind(user).bind(month.as_str());
            release.execute(&mut *transaction).await?;
            let release = sqlx::query(RELEASE_REVIEW_OF_DAY).bind(organization).bind(user).bind(day);
            release.execute(&mut *transaction).await?;
            transaction.commit().await?;
        });
        Ok(())
    }

    /// Adds a review's findings and tokens to the day's counts.
    ///
    /// # Errors
    /// As [`Store::reserve_review`].
    #[boxed]
    pub async fn record_usage(
        &self,
        organization: OrganizationId,
        user: UserId,
        day: &str,
        delta: UsageDelta,
    ) -> Result<(), StoreError> {
        month_of(day)?;
        let stored = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let [p0, p1, p2, p3] = delta.findings.map(stored);
        let tokens = |count: u64| stored(count.min(MAX_PER_REVIEW));
        let result = db!(&self.db, pool => {
            let record = sqlx::query(RECORD_USAGE).bind(organization).bind(user).bind(day);
            let record = record.bind(p0).bind(p1).bind(p2).bind(p3);
            let record = record.bind(tokens(delta.prompt_tokens)).bind(tokens(delta.completion_tokens));
            record.execute(pool).await.map(drop)
        });
        let missing = |error| {
            StoreError::constraint(
                error, "the usage has already been counted", "organization or user",
            )
        };
        result.map_err(missing)
    }

    /// The number of a member's reviews in the month of `day`.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when `day` is not `YYYY-MM-DD`; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn find_reviews_of_month(
        &self,
        organization: OrganizationId,
        user: UserId,
        day: &str,
    ) -> Result<u64, StoreError> {
        let month = month_of(day)?;
        let counted: Option<i64> = db!(&self.db, pool => {
            let find = sqlx::query_scalar(FIND_REVIEWS_OF_MONTH).bind(organization).bind(user).bind(month);
            find.fetch_optional(pool).await?
        });
        Ok(counted.unwrap_or_default().unsigned_abs())
    }

    /// Lists an organization's usage from one day to another, inclusive: one entry per day with any usage.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when a day is not `YYYY-MM-DD`; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn list_usage_of_days(
        &self,
        organization: OrganizationId,
        from: &str,
        to: &str,
    ) -> Result<Vec<UsageOfDay>, StoreError> {
        month_of(from)?;
        month_of(to)?;
        let rows: Vec<DayRow> = db!(&self.db, pool => {
            sqlx::query_as(LIST_USAGE_OF_DAYS).bind(organization).bind(from).bind(to).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(UsageOfDay::from).collect())
    }

    /// Lists usage by member from one day to another, inclusive, including members who have left: at most `limit`
    /// members, oldest account first, starting after the user `after`.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when a day is not `YYYY-MM-DD`; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn list_usage_of_members(
        &self,
        organization: OrganizationId,
        (from, to): (&str, &str),
        after: Option<UserId>,
        limit: u32,
    ) -> Result<Vec<UsageOfMember>, StoreError> {
        month_of(from)?;
        month_of(to)?;
        let after = after.map(|id| id.to_string()).unwrap_or_default();
        let rows: Vec<MemberRow> = db!(&self.db, pool => {
            let list = sqlx::query_as(LIST_USAGE_OF_MEMBERS).bind(organization).bind(from).bind(to);
            list.bind(after).bind(i64::from(limit)).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(UsageOfMember::from).collect())
    }
}
