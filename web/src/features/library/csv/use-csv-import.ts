import type { Video } from '@looptide/contracts/http/videos'
import { type ChangeEvent, useState } from 'react'
import { saveFile } from '../../../lib/browser/save-file.ts'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { toast } from '../../../ui/toast.ts'

import { showFailure } from '../../admin/show-failure.ts'
import type { Line } from '../line-result-labels.ts'
import { addedText } from '../show-add-result.ts'
import { exportLibrary, importRows, waitUntilReady } from './api.ts'
import { type CsvRow, readCsv } from './read-csv.ts'

const NUMBER = new Intl.NumberFormat(dateLocale)

/** A row of the file with the result of checking or importing it; `outcome` is missing for an invalid row. */
export type CheckedRow = CsvRow & { outcome?: Line }

/** Checks a CSV file line by line, imports its valid rows, and exports the library. One operation runs at a time. */
export function useCsvImport(onImported: () => void) {
  const [rows, setRows] = useState<readonly CheckedRow[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [notes, setNotes] = useState<readonly string[]>([])
  const [isImported, setImported] = useState(false)
  const { isBusy, progress, setProgress, run } = useTask()

  /** Sends the valid rows, shows the outcome of each and returns the added videos. */
  const send = async (csvRows: readonly CsvRow[], dryRun: boolean): Promise<Video[]> => {
    const valid = csvRows.flatMap(({ row }) => row ?? [])
    const onProgress = (done: number) =>
      setProgress(`${NUMBER.format(done)} of ${NUMBER.format(valid.length)} lines`)
    const lines = valid.length === 0 ? [] : await importRows(valid, dryRun, onProgress)
    const outcomes = lines.values()
    setRows(csvRows.map((csvRow) => (csvRow.row ? withOutcome(csvRow, outcomes.next().value) : csvRow)))
    return lines.flatMap(({ result, video }) => (result === 'added' && video ? [video] : []))
  }

  const check = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // Reset the input, so that the corrected file can be chosen again.
    event.target.value = ''
    if (!file) return
    setImported(false)
    setRows([])
    setNotes([])
    void run(async () => {
      const result = readCsv(new Uint8Array(await file.arrayBuffer()))
      setProblem('problem' in result ? result.problem : null)
      if ('problem' in result) return
      setNotes(result.notes)
      await send(result.rows, true)
    }, 'Error processing videos')
  }

  const importValid = () =>
    run(async () => {
      const added = await send(rows, false)
      setImported(true)
      onImported()
      toast({
        title: 'Videos added successfully',
        description: addedText(added),
        tone: 'success',
      })
      const onReady = (ready: number) =>
        setProgress(`${NUMBER.format(ready)} of ${NUMBER.format(added.length)} ready for channels`)
      // The import has succeeded even if the readiness check fails.
      const ids = added.map(({ id }) => id)
      await waitUntilReady(ids, onReady).catch(() => undefined)
    }, 'Error adding videos')

  const exportAll = () =>
    run(async () => saveFile(await exportLibrary(), 'video-library.csv'), 'Error exporting videos')

  return { rows, problem, notes, isBusy, isImported, progress, check, importValid, exportAll }
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
