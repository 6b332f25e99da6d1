import { type ChangeEvent, useState } from 'react'
import { saveFile } from '../../../lib/browser/save-file.ts'
import { numberText } from '../../../lib/count-text.ts'
import { showFailure } from '../../../lib/failures.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { startImport, useEndedChanges } from '../../admin/jobs/api.ts'
import { videoCountText } from '../../admin/video-texts.ts'
import { type Line, REASON_LABELS } from '../add-result.ts'
import { checkRows, exportLibrary } from './api.ts'
import { type CsvRow, readCsv } from './read-csv.ts'

/** Imports a CSV file after checking each line, and exports the whole library if the role allows it. */
export function CsvImport() {
  const csv = useCsvImport()
  const { may } = useSession()
  const { rows, problem, notes, isBusy, state, addedCount, progress } = csv
  const addable = rows.filter(({ outcome }) => outcome?.result === 'added')
  return (
    <div className="grid gap-5">
      <p className="text-sm text-muted">
        The first line must name the columns: "url" and, optionally, "title", "artist", "genre", "category",
        "tags" (separated by commas), "start" and "end" (such as 1:05.500).
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <label className="button cursor-pointer bg-raised text-text has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus hover:bg-line">
          <input
            type="file"
            accept=".csv,text/csv"
            aria-label="Choose a CSV file"
            // A disabled one would lose the focus.
            aria-disabled={isBusy}
            onClick={(event) => isBusy && event.preventDefault()}
            onChange={csv.check}
            className="sr-only"
          />
          Choose a CSV file...
        </label>
        {may('videos:export') && (
          <Button isBusy={isBusy} onClick={() => void csv.exportAll()}>
            Export library
          </Button>
        )}
      </div>
      <div role="status" className="text-sm">
        {isBusy
          ? `Processing... ${progress}`
          : (problem ?? (rows.length > 0 && summary(rows, state, addedCount)))}
        {notes.map((note) => (
          <p key={note} className="mt-1 text-muted">
            {note}
          </p>
        ))}
      </div>
      {rows.length > 0 && <RowList rows={rows} state={state} />}
      {rows.length > 0 && state === 'checked' && (
        <Button
          tone="primary"
          className="justify-self-end"
          isBusy={isBusy}
          disabled={addable.length === 0}
          onClick={() => void csv.importValid()}
        >
          Import {videoCountText(addable.length)}
        </Button>
      )}
    </div>
  )
}

type ImportState = 'checked' | 'running' | 'ended'

/** `addedCount`: what the import has added, at its end. */
function summary(rows: readonly CheckedRow[], state: ImportState, addedCount = 0): string {
  const count = (result: Line['result']) => rows.filter(({ outcome }) => outcome?.result === result).length
  const added = count('added')
  const known = count('duplicate')
  const skipped = rows.length - added - known
  const rest = `${numberText(known)} already in the library, ${numberText(skipped)} skipped.`
  if (state === 'checked') return `${numberText(added)} to add, ${rest}`
  if (state === 'ended') return `${videoCountText(addedCount)} added. ${rest}`
  return `${videoCountText(added)} being added by the server: this page may be closed. ${rest}`
}

const ADDED: Record<ImportState, string> = {
  checked: '✓ Will be added',
  running: '✓ Being added',
  ended: '✓ Added',
}

function outcomeText({ problem, outcome }: CheckedRow, state: ImportState): string {
  if (problem !== undefined) return `✕ ${problem}`
  if (!outcome) return ''
  if (outcome.result === 'skipped') return `✕ ${outcome.reason ? REASON_LABELS[outcome.reason] : 'Skipped'}`
  if (outcome.result === 'duplicate') return '= Already in the library'
  return ADDED[state]
}

function RowList({ rows, state }: { rows: readonly CheckedRow[]; state: ImportState }) {
  return (
    <ul aria-label="Results" className="max-h-80 divide-y divide-line/60 overflow-y-auto text-sm">
      {rows.map((row) => (
        <li
          key={row.line}
          className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-3 py-2 [contain-intrinsic-height:auto_3.5rem] [content-visibility:auto]"
        >
          <span className="text-muted tabular-nums">Line {row.line}</span>
          <span className="wrap-anywhere">{row.url || '(no URL)'}</span>
          <span className="col-start-2 text-muted">{outcomeText(row, state)}</span>
        </li>
      ))}
    </ul>
  )
}

/** A row of the file with the result of checking or importing it; `outcome` is missing for an invalid row. */
type CheckedRow = CsvRow & { outcome?: Line }

/** Checks a CSV file line by line, starts to import its valid rows, and exports the library. One operation runs at a time. */
function useCsvImport() {
  const [rows, setRows] = useState<readonly CheckedRow[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [notes, setNotes] = useState<readonly string[]>([])
  /** The jobs of the import of these rows, once it was started. */
  const [jobs, setJobs] = useState<readonly string[]>([])
  const addedCount = useEndedChanges(jobs)
  const { isBusy, progress, setProgress, run } = useTask()

  /** Shows what an import would do with each row. */
  const showOutcomes = async (csvRows: readonly CsvRow[]): Promise<void> => {
    const valid = csvRows.flatMap(({ row }) => row ?? [])
    const onProgress = (done: number) =>
      setProgress(`${numberText(done)} of ${numberText(valid.length)} lines`)
    const lines = valid.length === 0 ? [] : await checkRows(valid, onProgress)
    const outcomes = lines.values()
    setRows(csvRows.map((csvRow) => (csvRow.row ? withOutcome(csvRow, outcomes.next().value) : csvRow)))
  }

  const check = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // Reset the input, so that the corrected file can be chosen again.
    event.target.value = ''
    if (!file) return
    setJobs([])
    setRows([])
    setNotes([])
    void run(async () => {
      const result = readCsv(new Uint8Array(await file.arrayBuffer()))
      setProblem('problem' in result ? result.problem : null)
      if ('problem' in result) return
      setNotes(result.notes)
      await showOutcomes(result.rows)
    }, 'Error processing videos')
  }

  const importValid = () =>
    run(async () => {
      const valid = rows.flatMap(({ row, outcome }) => (row && outcome?.result === 'added' ? [row] : []))
      setJobs(await startImport(valid))
    }, 'Error adding videos')

  const exportAll = () =>
    run(async () => saveFile(await exportLibrary(), 'video-library.csv'), 'Error exporting videos')

  const state: ImportState = jobs.length === 0 ? 'checked' : addedCount === undefined ? 'running' : 'ended'
  return { rows, problem, notes, isBusy, state, addedCount, progress, check, importValid, exportAll }
}

const withOutcome = (row: CsvRow, outcome: Line | undefined): CheckedRow =>
  outcome ? { ...row, outcome } : row

/** Runs a task with a progress text, and shows its failure as a toast. */
function useTask() {
  const [isBusy, setBusy] = useState(false)
  const [progress, setProgress] = useState('')
  const run = async (work: () => Promise<void>, title: string) => {
    setBusy(true)
    try {
      await work()
    } catch (failure) {
      showFailure(failure, { title, text: 'Please try again.' })
    } finally {
      setBusy(false)
      setProgress('')
    }
  }
  return { isBusy, progress, setProgress, run }
}

/** The name of the tab that imports the library and, if the role allows it, exports it. */
export const useCsvTitle = (): string =>
  useSession().may('videos:export') ? 'Import / Export CSV' : 'Import CSV'
