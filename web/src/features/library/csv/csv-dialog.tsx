import { useSession } from '../../../lib/session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { videoCountText } from '../../admin/video-texts.ts'
import { type Line, REASON_LABELS } from '../line-result-labels.ts'
import { type CheckedRow, useCsvImport } from './use-csv-import.ts'
import { useCsvTitle } from './use-csv-title.ts'

/** Imports a CSV file after checking each line, and exports the whole library if the role allows it. */
export function CsvDialog({ onClose, onImported }: { onClose: () => void; onImported: () => void }) {
  const csv = useCsvImport(onImported)
  const { may } = useSession()
  const { rows, problem, notes, isBusy, isImported, progress } = csv
  const addable = rows.filter(({ outcome }) => outcome?.result === 'added')
  return (
    <Dialog
      title={useCsvTitle()}
      description='The first line must name the columns: "url" and, optionally, "title", "artist", "genre", "category", "tags" (separated by commas), "start" and "end" (such as 1:05.500).'
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
          {isBusy ? `Processing... ${progress}` : (problem ?? (rows.length > 0 && summary(rows, isImported)))}
          {notes.map((note) => (
            <p key={note} className="mt-1 text-muted">
              {note}
            </p>
          ))}
        </div>
        {rows.length > 0 && <RowList rows={rows} isImported={isImported} />}
        {rows.length > 0 && !isImported && (
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
    </Dialog>
  )
}

function summary(rows: readonly CheckedRow[], isImported: boolean): string {
  const count = (result: Line['result']) => rows.filter(({ outcome }) => outcome?.result === result).length
  const added = count('added')
  const known = count('duplicate')
  const skipped = rows.length - added - known
  return `${added} ${isImported ? 'added' : 'to add'}, ${known} already in the library, ${skipped} skipped.`
}

function outcomeText({ problem, outcome }: CheckedRow, isImported: boolean): string {
  if (problem !== undefined) return `✕ ${problem}`
  if (!outcome) return ''
  if (outcome.result === 'skipped') return `✕ ${outcome.reason ? REASON_LABELS[outcome.reason] : 'Skipped'}`
  if (outcome.result === 'duplicate') return '= Already in the library'
  return isImported ? '✓ Added' : '✓ Will be added'
}

function RowList({ rows, isImported }: { rows: readonly CheckedRow[]; isImported: boolean }) {
  return (
    <ul aria-label="Results" className="max-h-80 divide-y divide-line/60 overflow-y-auto text-sm">
      {rows.map((row) => (
        <li
          key={row.line}
          className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-3 py-2 [contain-intrinsic-height:auto_3.5rem] [content-visibility:auto]"
        >
          <span className="text-muted tabular-nums">Line {row.line}</span>
          <span className="truncate">{row.url || '(no URL)'}</span>
          <span className="col-start-2 text-muted">{outcomeText(row, isImported)}</span>
        </li>
      ))}
    </ul>
  )
}
