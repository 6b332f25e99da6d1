import { type Static, Type } from 'typebox'
import { strict } from '../common.ts'
import { Line, Paragraph } from '../text-fields.ts'
import { CHAT_MESSAGE_MAX } from './chat.ts'

/** Entries of the word list. */
export const MAX_WORD_ENTRIES = 1000
/** Entries that are patterns. A message is compared with each of them, with words all at once. */
export const MAX_WORD_PATTERNS = 100
/** Length of an entry, in characters. */
export const WORD_ENTRY_MAX = 100
/** Words of an entry. */
export const WORD_ENTRY_MAX_WORDS = 10

/**
 * What happens to a message with a word, the strictest first: its sender gets it back, it waits for a moderator, or the word
 * is replaced by asterisks.
 */
export const WORD_ACTIONS = ['refuse', 'hold', 'mask'] as const
export const WordAction = Type.Union([Type.Literal('refuse'), Type.Literal('hold'), Type.Literal('mask')])
export type WordAction = Static<typeof WordAction>

/**
 * `word`: one or several words, which a message contains as whole words, however their letters are written. `pattern`: a
 * regular expression of RE2 (https://github.com/google/re2/wiki/Syntax), which any part of a message matches, in any case.
 */
export const WordEntry = Type.Object(
  {
    action: WordAction,
    kind: Type.Union([Type.Literal('word'), Type.Literal('pattern')]),
    text: Line({ minLength: 1, maxLength: WORD_ENTRY_MAX }),
  },
  strict,
)
export type WordEntry = Static<typeof WordEntry>

/** GET and PUT /api/chat/word-list. 400 `word_list_invalid`: `problems` names the entries, as `/entries/<index>/text`. */
export const WordList = Type.Object(
  { entries: Type.Array(WordEntry, { maxItems: MAX_WORD_ENTRIES }) },
  strict,
)
export type WordList = Static<typeof WordList>

/**
 * The stored list. `problems` names entries that were accepted once and cannot be used any longer, for example by a newer
 * release, as `/entries/<index>/text`. Messages are checked without them.
 */
export const StoredWordList = Type.Object({
  ...WordList.properties,
  problems: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
    maxItems: MAX_WORD_ENTRIES + 1,
  }),
})
export type StoredWordList = Static<typeof StoredWordList>

/** POST /api/chat/word-list/try: what would happen to a message with these entries. Nothing is stored. */
export const TryWordListBody = Type.Object(
  {
    ...WordList.properties,
    message: Paragraph({ minLength: 1, maxLength: CHAT_MESSAGE_MAX, pattern: '\\S' }),
  },
  strict,
)
export type TryWordListBody = Static<typeof TryWordListBody>

/** `outcome`: `post` if no entry applies. `message`: with words replaced. `matches`: indices of the entries that it contains. */
export const WordListTrial = Type.Object({
  outcome: Type.Union([Type.Literal('post'), WordAction]),
  message: Type.String(),
  matches: Type.Array(Type.Integer({ minimum: 0 }), { maxItems: MAX_WORD_ENTRIES }),
})
export type WordListTrial = Static<typeof WordListTrial>
