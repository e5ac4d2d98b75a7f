//! Functions typical of services: loops, conditions, calls, error handling, a query, a null check. `AAA`, `BBB` and
//! `CCC` are placeholders for nouns, `NNN` for a number.

/// The templates for commits in a language.
pub(crate) struct Language {
    pub(crate) name: &'static str,
    pub(crate) extension: &'static str,
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// The text before and after the functions of a whole file.
    pub(crate) head: &'static str,
    pub(crate) foot: &'static str,
    pub(crate) functions: &'static [&'static str],
}

pub(crate) const LANGUAGES: &[Language] = &[
    Language {
        name: "Python",
        extension: "py",
        grammar: || tree_sitter_python::LANGUAGE.into(),
        head: "import logging\nfrom decimal import Decimal\n\nlog = logging.getLogger(__name__)\n\n",
        foot: "",
        functions: PYTHON,
    },
    Language {
        name: "Java",
        extension: "java",
        grammar: || tree_sitter_java::LANGUAGE.into(),
        head: "package shop.service;\n\nimport java.util.*;\n\npublic class Service {\n",
        foot: "}\n",
        functions: JAVA,
    },
    Language {
        name: "JavaScript",
        extension: "js",
        grammar: || tree_sitter_javascript::LANGUAGE.into(),
        head: "import { db, queue, log } from './services.js';\n\n",
        foot: "",
        functions: JAVASCRIPT,
    },
    Language {
        name: "Go",
        extension: "go",
        grammar: || tree_sitter_go::LANGUAGE.into(),
        head: "package shop\n\nimport (\n\t\"context\"\n\t\"errors\"\n\t\"fmt\"\n)\n\n",
        foot: "",
        functions: GO,
    },
    Language {
        name: "C",
        extension: "c",
        grammar: || tree_sitter_c::LANGUAGE.into(),
        head: "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n",
        foot: "",
        functions: C,
    },
];

const PYTHON: &[&str] = &[
    r#"def load_AAA(connection, BBB_id, limit=NNN):
    """Returns the newest entries of a BBB."""
    if limit <= 0:
        raise ValueError(f"limit must be positive, not {limit}")
    rows = connection.execute(
        "SELECT id, CCC, amount FROM AAA WHERE BBB_id = ? ORDER BY id DESC LIMIT ?",
        (BBB_id, limit),
    ).fetchall()
    entries = []
    for row in rows:
        amount = Decimal(row["amount"])
        if amount < 0 and not row["CCC"]:
            log.warning("negative amount in %s", row["id"])
            continue
        entries.append({"id": row["id"], "CCC": row["CCC"], "amount": amount})
    return entries


"#,
    r#"class AAAQueue:
    """Keeps what waits for a CCC."""

    def __init__(self, clock, retries=NNN):
        self.clock = clock
        self.retries = retries
        self.waiting = {}

    def push(self, BBB, due=None):
        due = due if due is not None else self.clock.now()
        self.waiting.setdefault(due, []).append(BBB)

    def pop_due(self):
        now = self.clock.now()
        ready = sorted(due for due in self.waiting if due <= now)
        return [BBB for due in ready for BBB in self.waiting.pop(due)]


"#,
    r#"def send_AAA(client, BBB, attempts=NNN):
    last_error = None
    for attempt in range(attempts):
        try:
            reply = client.post("/v1/CCC", json={"BBB": BBB.id, "total": str(BBB.total)}, timeout=10)
        except ConnectionError as error:
            last_error = error
            log.info("attempt %d failed: %s", attempt, error)
            continue
        if reply.status_code == 409:
            return None
        reply.raise_for_status()
        return reply.json()["CCC"]
    raise RuntimeError("no attempt succeeded") from last_error


"#,
    r#"def summarise_AAA(path, encoding="utf-8"):
    totals = {}
    with open(path, encoding=encoding) as file:
        for number, line in enumerate(file, start=1):
            parts = line.rstrip("\n").split(";")
            if len(parts) != 3:
                log.warning("%s:%d has %d columns", path, number, len(parts))
                continue
            BBB, CCC, count = parts
            key = (BBB.strip().lower(), CCC.strip())
            totals[key] = totals.get(key, 0) + int(count)
    return {key: total for key, total in totals.items() if total > NNN}


"#,
];

const JAVA: &[&str] = &[
    r#"    public List<Entry> loadAAA(Connection connection, long BBBId, int limit) throws SQLException {
        if (limit <= 0 || limit > NNN) {
            throw new IllegalArgumentException("limit is out of range: " + limit);
        }
        List<Entry> entries = new ArrayList<>();
        String query = "SELECT id, CCC, amount FROM AAA WHERE BBB_id = ? ORDER BY id DESC";
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setLong(1, BBBId);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next() && entries.size() < limit) {
                    BigDecimal amount = rows.getBigDecimal("amount");
                    if (amount.signum() < 0 && rows.getString("CCC") == null) {
                        continue;
                    }
                    entries.add(new Entry(rows.getLong("id"), rows.getString("CCC"), amount));
                }
            }
        }
        return entries;
    }

"#,
    r#"    /** Sends the BBB and waits for its CCC. */
    public Optional<String> sendAAA(Client client, Order BBB) {
        for (int attempt = 0; attempt < NNN; attempt++) {
            try {
                Reply reply = client.post("/v1/CCC", Map.of("id", BBB.getId(), "total", BBB.getTotal()));
                if (reply.status() == 409) {
                    return Optional.empty();
                }
                return Optional.of(reply.body().get("CCC"));
            } catch (IOException error) {
                log.info("attempt {} failed: {}", attempt, error.getMessage());
            }
        }
        throw new IllegalStateException("no attempt succeeded for " + BBB.getId());
    }

"#,
    r#"    static final class AAAQueue {
        private final Map<Long, List<String>> waiting = new TreeMap<>();
        private final Object lock = new Object();

        void push(String BBB, long due) {
            synchronized (lock) {
                waiting.computeIfAbsent(due, key -> new ArrayList<>()).add(BBB);
            }
        }

        int size(Predicate<String> CCC) {
            synchronized (lock) {
                return (int) waiting.values().stream().flatMap(List::stream).filter(CCC).limit(NNN).count();
            }
        }
    }

"#,
    r#"    public Map<String, Integer> summariseAAA(Iterable<String> lines) {
        Map<String, Integer> totals = new HashMap<>();
        int number = 0;
        for (String line : lines) {
            number++;
            String[] parts = line.split(";");
            if (parts.length != 3) {
                log.warn("line {} has {} columns", number, parts.length);
                continue;
            }
            String BBB = parts[0].trim().toLowerCase(Locale.ROOT);
            int CCC = Integer.parseInt(parts[2].trim());
            totals.merge(BBB, CCC, Integer::sum);
        }
        totals.values().removeIf(total -> total <= NNN);
        return totals;
    }

"#,
];

const JAVASCRIPT: &[&str] = &[
    r#"export async function loadAAA(BBBId, { limit = NNN, cursor } = {}) {
  if (!Number.isInteger(limit) || limit <= 0) {
    throw new RangeError(`limit must be a positive integer, not ${limit}`);
  }
  const rows = await db.query('SELECT id, CCC, amount FROM AAA WHERE BBB_id = $1 AND id > $2', [BBBId, cursor ?? 0]);
  const entries = rows
    .filter((row) => row.amount >= 0 || row.CCC !== null)
    .map(({ id, CCC, amount }) => ({ id, CCC, amount: Number(amount) }));
  return { entries: entries.slice(0, limit), next: entries.length > limit ? entries[limit].id : undefined };
}

"#,
    r#"export async function sendAAA(client, BBB, attempts = NNN) {
  let lastError;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      const reply = await client.post('/v1/CCC', { id: BBB.id, total: BBB.total.toFixed(2) });
      if (reply.status === 409) {
        return null;
      }
      return reply.data.CCC;
    } catch (error) {
      lastError = error;
      log.info(`attempt ${attempt} failed: ${error.message}`);
    }
  }
  throw new Error('no attempt succeeded', { cause: lastError });
}

"#,
    r#"class AAAQueue {
  constructor(clock) {
    this.clock = clock;
    this.waiting = new Map();
  }

  push(BBB, due = this.clock.now()) {
    const list = this.waiting.get(due) ?? [];
    list.push(BBB);
    this.waiting.set(due, list);
  }

  popDue(max = NNN) {
    const now = this.clock.now();
    const ready = [...this.waiting.keys()].filter((due) => due <= now).sort((a, b) => a - b);
    const CCC = ready.flatMap((due) => this.waiting.get(due));
    ready.forEach((due) => this.waiting.delete(due));
    return CCC.slice(0, max);
  }
}

"#,
    r#"function summariseAAA(text) {
  const totals = {};
  text.split('\n').forEach((line, index) => {
    const parts = line.split(';');
    if (parts.length !== 3) {
      log.warn(`line ${index + 1} has ${parts.length} columns`);
      return;
    }
    const [BBB, CCC, count] = parts.map((part) => part.trim());
    const key = `${BBB.toLowerCase()}/${CCC}`;
    totals[key] = (totals[key] || 0) + Number.parseInt(count, 10);
  });
  return Object.fromEntries(Object.entries(totals).filter(([, total]) => total > NNN));
}

"#,
];

const GO: &[&str] = &[
    r#"// LoadAAA returns the newest entries of a BBB.
func (s *Service) LoadAAA(ctx context.Context, BBBID int64, limit int) ([]Entry, error) {
	if limit <= 0 || limit > NNN {
		return nil, fmt.Errorf("limit is out of range: %d", limit)
	}
	rows, err := s.db.QueryContext(ctx, "SELECT id, CCC, amount FROM AAA WHERE BBB_id = $1", BBBID)
	if err != nil {
		return nil, fmt.Errorf("load AAA: %w", err)
	}
	defer rows.Close()
	entries := make([]Entry, 0, limit)
	for rows.Next() {
		var entry Entry
		if err := rows.Scan(&entry.ID, &entry.CCC, &entry.Amount); err != nil {
			return nil, err
		}
		if entry.Amount < 0 && entry.CCC == "" {
			continue
		}
		entries = append(entries, entry)
	}
	return entries, rows.Err()
}

"#,
    r#"func (c *Client) SendAAA(ctx context.Context, BBB *Order) (string, error) {
	var last error
	for attempt := 0; attempt < NNN; attempt++ {
		reply, err := c.post(ctx, "/v1/CCC", map[string]any{"id": BBB.ID, "total": BBB.Total})
		if err != nil {
			last = err
			c.log.Info("attempt failed", "attempt", attempt, "error", err)
			continue
		}
		switch reply.Status {
		case 200, 201:
			return reply.CCC, nil
		case 409:
			return "", nil
		default:
			last = errors.New("unexpected status")
		}
	}
	return "", last
}

"#,
    r#"type AAAQueue struct {
	mu      sync.Mutex
	waiting map[int64][]string
}

func (q *AAAQueue) PopDue(now int64) []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	var CCC []string
	for due, list := range q.waiting {
		if due > now || len(CCC) > NNN {
			continue
		}
		for _, BBB := range list {
			CCC = append(CCC, BBB)
		}
		delete(q.waiting, due)
	}
	return CCC
}

"#,
];

const C: &[&str] = &[
    r#"/* Reads the entries of a BBB; the caller frees them. */
static int load_AAA(struct db *db, long BBB_id, struct entry **out, size_t *count)
{
    struct entry *entries = NULL;
    size_t used = 0, size = 0;
    struct row row;

    while (db_next(db, BBB_id, &row) == 0) {
        if (used == size) {
            size_t wanted = size ? size * 2 : NNN + 1;
            struct entry *grown = realloc(entries, wanted * sizeof(*grown));
            if (grown == NULL) {
                free(entries);
                return -1;
            }
            entries = grown;
            size = wanted;
        }
        entries[used].id = row.id;
        snprintf(entries[used].CCC, sizeof(entries[used].CCC), "%s", row.CCC);
        used++;
    }
    *out = entries;
    *count = used;
    return 0;
}

"#,
    r#"int send_AAA(struct client *client, const struct order *BBB)
{
    char body[256];
    int attempt, status;

    for (attempt = 0; attempt < NNN; attempt++) {
        int length = snprintf(body, sizeof(body), "{\"id\":%ld,\"CCC\":%d}", BBB->id, BBB->total);
        if (length < 0 || (size_t)length >= sizeof(body))
            return -1;
        status = client_post(client, "/v1/CCC", body, (size_t)length);
        switch (status) {
        case 200:
        case 201:
            return 0;
        case 409:
            return 1;
        default:
            fprintf(stderr, "attempt %d failed: %d\n", attempt, status);
            break;
        }
    }
    return -1;
}

"#,
    r#"static unsigned int hash_AAA(const char *text, size_t length)
{
    unsigned int hash = NNNu;
    size_t i;

    for (i = 0; i < length; i++) {
        hash ^= (unsigned char)text[i];
        hash = (hash << 5) | (hash >> 27);
        hash *= 16777619u;
    }
    return hash;
}

struct AAA_bucket {
    struct AAA_bucket *next;
    char BBB[64];
    unsigned int CCC;
};

"#,
    r#"static void remove_AAA(struct list *list, const char *BBB)
{
    struct node **link = &list->first;

    while (*link != NULL) {
        struct node *node = *link;
        if (strcmp(node->BBB, BBB) == 0 && node->CCC > NNN) {
            *link = node->next;
            free(node->BBB);
            free(node);
            list->length--;
            continue;
        }
        link = &node->next;
    }
}

"#,
];
