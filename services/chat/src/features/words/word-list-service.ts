import type {
  StoredWordList,
  TryWordListBody,
  WordEntry,
  WordList,
  WordListTrial,
} from '@looptide/contracts/http/word-list'
import { wordLines } from '@looptide/contracts/word-lines'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Db } from '@looptide/service-kit/db/db'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { type ExpectedVersion, requireVersion } from '@looptide/service-kit/http/conditional'
import { AppError } from '@looptide/service-kit/http/errors'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { WordFilter } from './word-filter.ts'
import { findWordList, lockWordList, saveWordList } from './word-list-repository.ts'

interface Versioned {
  list: StoredWordList
  etag: string
}

/** Reads, changes and applies the word list of the station. */
export class WordListService {
  readonly #db: Kysely<Database>
  readonly #logger: Logger
  #prepared = { filter: new WordFilter([]), version: 0 }

  constructor(db: Kysely<Database>, logger: Logger) {
    this.#db = db
    this.#logger = logger
  }

  /** The list with its ETag. */
  async read(): Promise<Versioned> {
    const { entries, unreadable, version } = await findWordList(this.#db)
    const { problems } = new WordFilter(entries)
    return {
      list: { entries: [...entries], problems: [...problems, ...unreadableProblem(unreadable)] },
      etag: etagOf(version),
    }
  }

  /** Throws `word_list_invalid`, and `precondition_failed` unless `expected` is the current version. */
  async update({ entries }: WordList, cause: Cause, expected?: ExpectedVersion): Promise<Versioned> {
    requireUsable(new WordFilter(entries))
    return this.#db.transaction().execute(async (trx) => {
      await lockWordList(trx)
      const before = await findWordList(trx)
      requireVersion(expected, etagOf(before.version))
      const version = before.version + 1
      await saveWordList(trx, { entries, version })
      await appendAudit(
        trx,
        'chat.audit.recorded.v1',
        {
          action: 'chat_word_list.update',
          targetType: 'chat_word_list',
          before: { entries: without(before.entries, entries) },
          after: { entries: without(entries, before.entries) },
          details: { count: entries.length },
        },
        cause,
      )
      return { list: { entries, problems: [] }, etag: etagOf(version) }
    })
  }

  /** What would happen to a message. Throws `word_list_invalid`. */
  try({ entries, message }: TryWordListBody): WordListTrial {
    const filter = new WordFilter(entries)
    requireUsable(filter)
    const { action, ...decision } = filter.check(message)
    return { outcome: action ?? 'post', ...decision }
  }

  /**
   * The list of this version, prepared for messages. Each transaction that stores messages reads the version, so that all
   * replicas apply a change to every message that is stored after it. Entries that cannot be used are left out, so that a
   * list of an older release does not stop the chat.
   */
  async filterAt(db: Db<Database>, version: number): Promise<WordFilter> {
    if (this.#prepared.version !== version) {
      const stored = await findWordList(db)
      const filter = new WordFilter(stored.entries)
      this.#prepared = { filter, version: stored.version }
      const skipped = filter.problems.length + stored.unreadable
      // Once per version and replica, since a list is prepared once.
      if (skipped > 0) this.#logger.error({ version: stored.version, skipped }, 'word list entries skipped')
    }
    return this.#prepared.filter
  }
}

const etagOf = (version: number): string => `"${version}"`

const unreadableProblem = (count: number): StoredWordList['problems'] =>
  count === 0
    ? []
    : [
        {
          path: '/entries',
          message: `The stored list has ${count} unreadable entries. Saving it removes them.`,
        },
      ]

function requireUsable({ problems }: WordFilter): void {
  if (problems.length > 0)
    throw new AppError('word_list_invalid', 'Some entries of the word list cannot be used.', { problems })
}

/** The entries that the other list does not have. */
function without(entries: readonly WordEntry[], others: readonly WordEntry[]): WordEntry[] {
  const known = new Set(others.map((entry) => wordLines([entry])))
  return entries.filter((entry) => !known.has(wordLines([entry])))
}
