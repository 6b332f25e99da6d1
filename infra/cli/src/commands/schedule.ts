import { readFile, writeFile } from 'node:fs/promises'
import type { ScheduleVersion } from '@looptide/contracts/http/schedules'
import { InvalidArgumentError } from 'commander'
import { CommandError, EXIT, fault, usageError } from '../exit-codes.ts'
import { instant } from '../instant.ts'
import { documentChanges } from '../schedule/document-changes.ts'
import { ScheduleApi } from '../schedule/schedule-api.ts'
import {
  type Comparison,
  changeText,
  comparisonText,
  problemLines,
  programmesText,
} from '../schedule/schedule-texts.ts'
import { formatSchedule, parseSchedule, type ScheduleFile } from '../schedule/schedule-yaml.ts'
import type { Session } from '../session.ts'
import { Refusal, type StationApi } from '../station-api.ts'
import { table } from '../table.ts'
import type { AddCommands } from './add-commands.ts'

const DAY_MS = 86_400_000
/** Most profiles in one request. */
const MAX_AUTHORS = 100

interface ApplyOptions {
  file: string
  dryRun?: boolean
  overwriteDraft?: boolean
  note?: string
}

/** Adds `schedule`. */
export const addScheduleCommands: AddCommands = (program, act) => {
  const schedule = program.command('schedule').description('schedules of channels, as YAML files')
  schedule
    .command('pull')
    .description('print the published schedule as YAML')
    .argument('<channel>')
    .option('--file <path>', 'write it to a file')
    .option('--draft', 'print the saved draft instead')
    .action(
      act((session, channel: string, options: { file?: string; draft?: boolean }) =>
        pull(session, channel, options),
      ),
    )
  schedule
    .command('diff')
    .description('compare a file with the published schedule, and show what would change on the air')
    .argument('<channel>')
    .requiredOption('--file <path>', 'YAML or JSON')
    .addHelpText('after', '\nChanges nothing. Exits with 1 if the file differs or has errors.')
    .action(
      act((session, channel: string, { file }: { file: string }) => showDifference(session, channel, file)),
    )
  schedule
    .command('apply')
    .description('publish a file; a file that is already published changes nothing')
    .argument('<channel>')
    .requiredOption('--file <path>', 'YAML or JSON')
    .option('--dry-run', 'check the file and show what would change; change nothing')
    .option('--overwrite-draft', 'replace a draft that somebody has saved and not published')
    .option('--note <text>', 'what the version changes, and why')
    .action(act((session, channel: string, options: ApplyOptions) => apply(session, channel, options)))
  schedule
    .command('submit')
    .description('submit the saved draft for approval')
    .argument('<channel>')
    .option('--note <text>', 'what it changes, and why')
    .action(act((session, channel: string, { note }: { note?: string }) => submit(session, channel, note)))
  schedule
    .command('versions')
    .description('list published versions, newest first')
    .argument('<channel>')
    .action(act((session, channel: string) => listVersions(session, channel)))
  schedule
    .command('restore')
    .description('publish an earlier version again')
    .argument('<channel>')
    .argument('<version>', 'as in `versions`', versionNumber)
    .action(act((session, channel: string, version: number) => restore(session, channel, version)))
  schedule
    .command('preview')
    .description('list what would be on the air with the draft, the published schedule or a file')
    .argument('<channel>')
    .option('--from <time>', 'such as 2026-11-27T20:00:00Z; default: now', instant)
    .option('--to <time>', 'at most 8 days later; default: a day later', instant)
    .option('--file <path>', 'YAML or JSON')
    .action(act((session, channel: string, options: PreviewOptions) => preview(session, channel, options)))
}

function versionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a version number, from 1.')
  return Number(text)
}

const apiOf = async (session: Session, channel: string): Promise<ScheduleApi> =>
  new ScheduleApi(await session.station(), channel)

async function readSchedule(path: string): Promise<ScheduleFile> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw usageError(`The file cannot be read: ${error.message}`)
  })
  return parseSchedule(text)
}

const zoneOf = (document: object | null): string =>
  document !== null && 'timeZone' in document ? String(document.timeZone) : 'UTC'

async function pull(
  session: Session,
  channel: string,
  { file, draft }: { file?: string; draft?: boolean },
): Promise<void> {
  const api = await apiOf(session, channel)
  const { document, what } =
    draft === true ? await pullDraft(api, channel) : await pullPublished(api, channel)
  const text = formatSchedule(document, `${what}\nlooptide schedule apply ${channel} --file <this file>`)
  if (file === undefined) return session.report(document, text.trimEnd())
  await writeFile(file, text)
  session.report({ file }, `Written to ${file}.`)
}

async function pullPublished(api: ScheduleApi, channel: string) {
  const { version, document } = await api.published()
  if (document === null) throw fault(`${channel} has no schedule: it repeats its playlist.`)
  return { document, what: `Schedule of ${channel}, version ${version}.` }
}

async function pullDraft(api: ScheduleApi, channel: string) {
  const { document, savedAt, basedOnVersion } = (await api.draft()).value
  if (document === null || savedAt === null) throw fault(`${channel} has no draft.`)
  return { document, what: `Draft of ${channel}, saved at ${savedAt}, based on version ${basedOnVersion}.` }
}

/** The difference between a file and the published schedule. Throws with the lines of the file's problems. */
async function compare(api: ScheduleApi, file: ScheduleFile): Promise<Comparison> {
  const { version, document } = await api.published()
  const onAir = await api.compare(file.document)
  if (onAir.problems.length > 0) throw fault(problemLines(onAir.problems, file))
  return { version, changes: documentChanges(document ?? {}, file.document), onAir }
}

async function showDifference(session: Session, channel: string, path: string): Promise<void> {
  const file = await readSchedule(path)
  const comparison = await compare(await apiOf(session, channel), file)
  session.report(comparison, comparisonText(comparison, zoneOf(file.document)))
  if (comparison.changes.length > 0)
    throw new CommandError(EXIT.fault, 'The file differs from what is published.')
}

async function apply(session: Session, channel: string, options: ApplyOptions): Promise<void> {
  const file = await readSchedule(options.file)
  const api = await apiOf(session, channel)
  const comparison = await compare(api, file)
  const text = comparisonText(comparison, zoneOf(file.document))
  if (options.dryRun === true || (comparison.changes.length === 0 && comparison.version > 0)) {
    return session.report({ ...comparison, published: null }, text)
  }
  const etag = await saveDraft(api, channel, file, options.overwriteDraft === true)
  const published = await api.publish(etag, options.note)
  const result = `Version ${published.version} is published. ${changeText(published, zoneOf(file.document))}`
  session.report({ ...comparison, published }, `${text}\n${result}`)
}

async function submit(session: Session, channel: string, note: string | undefined): Promise<void> {
  const api = await apiOf(session, channel)
  const { etag } = await api.draft()
  session.report(await api.submit(etag, note), `The draft of ${channel} is submitted for approval.`)
}

/** Saves the file as the draft and answers its ETag. Throws if that would lose a draft which is not published. */
async function saveDraft(
  api: ScheduleApi,
  channel: string,
  { document }: ScheduleFile,
  mayOverwrite: boolean,
): Promise<string> {
  const { value: draft, etag } = await api.draft()
  const isKept = draft.savedAt === null || documentChanges(draft.document ?? {}, document).length === 0
  if (!isKept && !mayOverwrite) throw unpublishedDraft(channel, draft.savedAt)
  try {
    return (await api.saveDraft(document, etag)).etag
  } catch (error) {
    if (error instanceof Refusal && error.status === 412) throw unpublishedDraft(channel, null)
    throw error
  }
}

const unpublishedDraft = (channel: string, savedAt: string | null): CommandError =>
  fault(
    `${channel} has a draft that is not published, saved ${savedAt === null ? 'just now' : `at ${savedAt}`}. ` +
      `See it with \`looptide schedule pull ${channel} --draft\`, or replace it with --overwrite-draft.`,
  )

async function listVersions(session: Session, channel: string): Promise<void> {
  const station = await session.station()
  const versions: ScheduleVersion[] = []
  for await (const version of new ScheduleApi(station, channel).versions()) versions.push(version)
  const handles = await handlesOf(station, versions)
  const rows = versions.map(({ version, publishedAt, publishedBy, restoredFrom, note, isCurrent }) => [
    String(version),
    publishedAt,
    handles.get(publishedBy ?? '') ?? publishedBy ?? '-',
    [isCurrent ? 'current' : '', restoredFrom === null ? '' : `restored from version ${restoredFrom}`, note]
      .filter((text) => text !== '')
      .join(', '),
  ])
  const text = rows.length === 0 ? 'No versions.' : table(['VERSION', 'PUBLISHED', 'BY', ''], rows)
  session.report(versions, text)
}

/** The handles of authors by their ids. Accounts that were deleted have none. */
async function handlesOf(
  station: StationApi,
  versions: readonly ScheduleVersion[],
): Promise<Map<string, string>> {
  const ids = [...new Set(versions.flatMap(({ publishedBy }) => publishedBy ?? []))].slice(0, MAX_AUTHORS)
  if (ids.length === 0) return new Map()
  const { items } = await station.call('GET /api/profiles/lookup', { query: { ids: ids.join(',') } })
  return new Map(items.flatMap(({ userId, handle }) => (handle === null ? [] : [[userId, `@${handle}`]])))
}

async function restore(session: Session, channel: string, version: number): Promise<void> {
  const api = await apiOf(session, channel)
  const published = await api.restore(version)
  const { document } = await api.published()
  session.report(
    published,
    `Version ${version} is published again, as version ${published.version}. ${changeText(published, zoneOf(document))}`,
  )
}

interface PreviewOptions {
  from?: number
  to?: number
  file?: string
}

async function preview(session: Session, channel: string, options: PreviewOptions): Promise<void> {
  const file = options.file === undefined ? undefined : await readSchedule(options.file)
  const api = await apiOf(session, channel)
  const from = options.from ?? Date.now()
  const span = { from: iso(from), to: iso(options.to ?? from + DAY_MS) }
  const document = file?.document ?? (await api.draft()).value.document
  if (document === null) throw fault(`${channel} has no schedule: it repeats its playlist.`)
  const shown = await api.preview(span, document)
  if (shown.problems.length > 0) {
    throw fault(
      file === undefined
        ? shown.problems.map(({ path, message }) => `${path}: ${message}`).join('\n')
        : problemLines(shown.problems, file),
    )
  }
  if (!shown.isExact) session.note('The preview starts more than a week ahead, so it is only an example.')
  session.report(shown, programmesText(shown.programmes, zoneOf(document)))
}

const iso = (ms: number): string => new Date(ms).toISOString()
