import { type ChangeEvent, useState } from 'react'
import { dateLocale } from '../../../../lib/date-locale.ts'
import { saveFile } from '../../../../lib/save-file.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { toast } from '../../../../ui/toast.ts'
import { tellFailure } from '../../desk/tell-failure.ts'
import { type Line, REASONS } from '../verdict-words.ts'
import { exportLibrary, importRows, waitUntilReady } from './api.ts'
import { type CsvRow, readCsv } from './read-csv.ts'

const NUMBER = new Intl.NumberFormat(dateLocale)
const inDigits = (value: number): string => NUMBER.format(value)

/** A row of the file with what would become, or became, of it. */
type Judged = CsvRow & { outcome?: Line }

/** Import with a look at every line's verdict first; export of the whole library. */
export function CsvDialog({ onClose, onImported }: { onClose: () => void; onImported: () => void }) {
  const [judged, setJudged] = useState<readonly Judged[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isImported, setImported] = useState(false)
  const [progress, setProgress] = useState('')
  const addable = judged.filter(({ outcome }) => outcome?.result === 'added')

  const run = async (work: () => Promise<void>, title: string) => {
    setBusy(true)
    try {
      await work()
    } catch (failure) {
      tellFailure(failure, { title, text: 'Please try again.' })
    } finally {
      setBusy(false)
      setProgress('')
    }
  }

  const judge = async (rows: readonly CsvRow[], dryRun: boolean) => {
    const sent = rows.flatMap(({ row }) => row ?? [])
    const onProgress = (done: number) => setProgress(`${inDigits(done)} of ${inDigits(sent.length)} lines`)
    const lines = sent.length === 0 ? [] : await importRows(sent, dryRun, onProgress)
    const verdicts = lines.values()
    setJudged(rows.map((row) => (row.row ? withVerdict(row, verdicts.next().value) : row)))
    return lines.flatMap(({ result, video }) => (result === 'added' && video ? [video.id] : []))
  }

  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // The same file may be chosen again once it has been mended.
    event.target.value = ''
    if (!file) return
    setImported(false)
    setJudged([])
    void run(async () => {
      const read = readCsv(await file.text())
      setProblem('problem' in read ? read.problem : null)
      if ('rows' in read) await judge(read.rows, true)
    }, 'Error processing videos')
  }

  const take = () =>
    run(async () => {
      const added = await judge(judged, false)
      setImported(true)
      onImported()
      toast({
        title: 'Videos added successfully',
        description: `${added.length} video(s) added. Their metadata is on its way.`,
        tone: 'success',
      })
      const onReady = (ready: number) =>
        setProgress(`${inDigits(ready)} of ${inDigits(added.length)} ready for channels`)
      // The videos are added, whether or not anybody can say how many have arrived.
      await waitUntilReady(added, onReady).catch(() => undefined)
    }, 'Error adding videos')

  const save = () =>
    run(async () => saveFile(await exportLibrary(), 'video-library.csv'), 'Error exporting videos')

  return (
    <Dialog
      title="Import / Export CSV"
      description='The first line names the columns: "url", and if you like "artist", "genre" and "category".'
      isOpen
      onClose={onClose}
    >
      <div className="grid gap-5">
        <div className="flex flex-wrap items-center gap-3">
          <label className="button cursor-pointer bg-raised text-text has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus hover:bg-line">
            <input
              type="file"
              accept=".csv,text/csv"
              aria-label="Choose a CSV file"
              disabled={isBusy}
              onChange={choose}
              className="sr-only"
            />
            Choose a CSV file...
          </label>
          <Button disabled={isBusy} onClick={() => void save()}>
            Export the library
          </Button>
        </div>
        <div role="status" className="text-sm">
          {isBusy
            ? `Processing... ${progress}`
            : (problem ?? (judged.length > 0 && summary(judged, isImported)))}
        </div>
        {judged.length > 0 && <VerdictList judged={judged} isImported={isImported} />}
        {judged.length > 0 && !isImported && (
          <Button
            tone="primary"
            className="justify-self-end"
            disabled={isBusy || addable.length === 0}
            onClick={() => void take()}
          >
            Import {addable.length} video(s)
          </Button>
        )}
      </div>
    </Dialog>
  )
}

const withVerdict = (row: CsvRow, outcome: Line | undefined): Judged => (outcome ? { ...row, outcome } : row)

function summary(judged: readonly Judged[], isImported: boolean): string {
  const count = (wanted: Line['result']) => judged.filter(({ outcome }) => outcome?.result === wanted).length
  const added = count('added')
  const known = count('duplicate')
  const skipped = judged.length - added - known
  return `${added} ${isImported ? 'added' : 'to add'}, ${known} already in the library, ${skipped} skipped.`
}

function wordsOf({ problem, outcome }: Judged, isImported: boolean): string {
  if (problem !== undefined) return `✕ ${problem}`
  if (!outcome) return ''
  if (outcome.result === 'skipped') return `✕ ${outcome.reason ? REASONS[outcome.reason] : 'Skipped'}`
  if (outcome.result === 'duplicate') return '= Already in the library'
  return isImported ? '✓ Added' : '✓ Will be added'
}

function VerdictList({ judged, isImported }: { judged: readonly Judged[]; isImported: boolean }) {
  return (
    <ul aria-label="Verdicts" className="max-h-80 divide-y divide-line/60 overflow-y-auto text-sm">
      {judged.map((row) => (
        <li
          key={row.line}
          className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-3 py-2 [contain-intrinsic-height:auto_3.5rem] [content-visibility:auto]"
        >
          <span className="text-muted tabular-nums">Line {row.line}</span>
          <span className="truncate">{row.url || '(no URL)'}</span>
          <span className="col-start-2 text-muted">{wordsOf(row, isImported)}</span>
        </li>
      ))}
    </ul>
  )
}
