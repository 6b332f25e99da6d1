import { MAX_SCHEDULE_BYTES, type ScheduleDraftDocument } from '@looptide/contracts/http/schedules'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import {
  Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from 'yaml'
import { fault } from '../exit-codes.ts'

/** Largest file in characters. Comments and indentation may double the size of the document. */
const MAX_CHARACTERS = 2 * MAX_SCHEDULE_BYTES
/** Most values that aliases may expand to; a file that nests aliases grows exponentially. */
const MAX_ALIASES = 100

/** A schedule document as it is written in a file. */
export interface ScheduleFile {
  /** Any object; the station validates it. */
  document: object
  /** The line, from 1, of the part that a JSON pointer names; of the nearest part around it if it is missing. */
  lineOf(pointer: string): number
}

/** Reads a schedule from YAML (JSON is YAML, too). Throws a CommandError with the line of a syntax error. */
export function parseSchedule(text: string): ScheduleFile {
  if (text.length > MAX_CHARACTERS) throw fault(`The file has more than ${MAX_CHARACTERS} characters.`)
  const lines = new LineCounter()
  try {
    const yaml = parseDocument(text, { lineCounter: lines, version: '1.2' })
    const [error] = [...yaml.errors, ...yaml.warnings]
    if (error !== undefined)
      throw fault(`Line ${lines.linePos(error.pos[0]).line}: ${sentence(error.message)}`)
    const document: unknown = yaml.toJS({ maxAliasCount: MAX_ALIASES })
    if (typeof document !== 'object' || document === null) throw fault('The file contains no schedule.')
    return {
      document,
      lineOf: (pointer) => lines.linePos(offsetOf(yaml, pointer)).line,
    }
  } catch (error) {
    if (error instanceof RangeError) throw fault('The file is nested too deeply.')
    if (error instanceof ReferenceError)
      throw fault('The file has too many aliases, or an alias without an anchor.')
    throw error
  }
}

/** The parser's message without the position and the source that follow it. */
const sentence = (message: string): string =>
  message.startsWith('Maximum call stack')
    ? 'nested too deeply'
    : (message.split(/ at line \d+|\n/)[0] ?? message)

/** The offset of the part that a JSON pointer (RFC 6901) names: of its key in an object, of the item in a list. */
function offsetOf(yaml: Document.Parsed, pointer: string): number {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  let node: unknown = yaml.contents
  let offset = yaml.contents?.range?.[0] ?? 0
  for (const step of steps) {
    const found: Pick<Pair, 'key' | 'value'> | undefined = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === step)
      : isSeq(node)
        ? { key: node.items[Number(step)], value: node.items[Number(step)] }
        : undefined
    if (found === undefined || !isNode(found.key)) break
    offset = found.key.range?.[0] ?? offset
    node = found.value
  }
  return offset
}

/** The order of fields in a file. Names that users give come after them, alphabetically. */
const FIELD_ORDER = [
  ...['timeZone', 'defaultSource', 'freezeMinutes', 'id', 'name', 'description', 'colour', 'kind', 'videoId'],
  ...[
    'channelId',
    'tag',
    'where',
    'order',
    'days',
    'at',
    'from',
    'to',
    'start',
    'ident',
    'clock',
    'source',
    'count',
  ],
  ...[
    'durationMs',
    'fallback',
    'value',
    'strength',
    'sources',
    'clocks',
    'blocks',
    'overrides',
    'specials',
    'rules',
  ],
]

function inFieldOrder({ key: a }: Pair, { key: b }: Pair): number {
  const [first, second] = [a, b].map((key) => String(isScalar(key) ? key.value : key)) as [string, string]
  const place = (name: string) => {
    const index = FIELD_ORDER.indexOf(name)
    return index === -1 ? FIELD_ORDER.length : index
  }
  return place(first) - place(second) || (first < second ? -1 : 1)
}

/** A schedule as YAML, always in the same order, below a comment. Parsing it gives the same document. */
export function formatSchedule(document: ScheduleDocument | ScheduleDraftDocument, comment: string): string {
  const yaml = new Document(document, { sortMapEntries: inFieldOrder, aliasDuplicateObjects: false })
  yaml.commentBefore = comment.replaceAll(/^/gm, ' ')
  visit(yaml, {
    Collection: (_key, node) => {
      if (isSmall(node)) node.flow = true
    },
    Scalar: (_key, node) => {
      // YAML 1.1 reads 20:00 as a number and 2026-12-24 as a date.
      if (typeof node.value === 'string' && /^\d/.test(node.value)) node.type = 'QUOTE_SINGLE'
    },
  })
  return yaml.toString({ lineWidth: 120, flowCollectionPadding: false })
}

/** Slots, rules and lists of words are written on one line. */
function isSmall(node: Node): boolean {
  if (!isCollection(node)) return false
  const values = node.items.map((item) => (isNode(item) ? item : (item as Pair).value))
  return values.every(isScalar) && (isSeq(node) || values.length <= 3)
}
