import type { VideoJob, VideoJobKind } from '@looptide/contracts/http/video-jobs'
import { numberText } from '../../../lib/count-text.ts'
import type { Toast } from '../../../ui/toast.ts'
import { videoCountText } from '../video-texts.ts'

type ChangeKind = Exclude<VideoJobKind, 'undo'>
const NOUNS: Record<ChangeKind, string> = {
  import: 'Import',
  edit: 'Edit',
  move: 'Move',
  delete: 'Deletion',
  restore: 'Restoration',
}

/** What a job changes: an undo changes it back. */
const changeOf = ({ kind, undoesKind }: VideoJob): ChangeKind => {
  const changed = kind === 'undo' ? undoesKind : kind
  return changed === null || changed === 'undo' ? 'edit' : changed
}

/** What a job does: "Move 20,000 videos to Classics", "Undo the edit of 2 videos". */
export function jobTitle(job: VideoJob): string {
  const { kind, total, category } = job
  const change = changeOf(job)
  if (kind === 'undo') return `Undo the ${NOUNS[change].toLowerCase()} of ${videoCountText(total)}`
  const verb = { import: 'Import', edit: 'Edit', move: 'Move', delete: 'Delete', restore: 'Restore' }[change]
  return `${verb} ${videoCountText(total)}${change === 'move' && category !== null ? ` to ${category}` : ''}`
}

/** How far a job is: "500 done · 2 failed · 19,498 remaining". */
export function progressText({ state, isCancelling, total, done, failed }: VideoJob): string {
  if (state === 'waiting') return 'Waiting'
  if (isCancelling) return 'Cancelling...'
  return [
    `${numberText(done)} done`,
    ...(failed > 0 ? [`${numberText(failed)} failed`] : []),
    `${numberText(total - done - failed)} remaining`,
  ].join(' · ')
}

/** How a job has ended: "20,000 changed", "Cancelled: 500 of 20,000 changed". */
export function resultText({ kind, state, total, changed, failed }: VideoJob): string {
  const what = kind === 'import' ? 'added' : 'changed'
  const failures = failed > 0 ? ` · ${numberText(failed)} failed` : ''
  if (state === 'done') return `${numberText(changed)} ${what}${failures}`
  const reason = state === 'cancelled' ? 'Cancelled' : 'Stopped by an error'
  return `${reason}: ${numberText(changed)} of ${numberText(total)} ${what}${failures}`
}

/** The message about the end of a job that this page has started (docs/product/admin.md §8). */
export function resultToast(job: VideoJob): Pick<Toast, 'title' | 'description' | 'tone'> {
  if (job.state === 'done') return doneToast(job)
  const title = `${job.kind === 'undo' ? 'Undo' : NOUNS[changeOf(job)]} ${job.state === 'cancelled' ? 'cancelled' : 'failed'}`
  return {
    title,
    description: `${numberText(job.changed)} of ${videoCountText(job.total)} ${job.kind === 'import' ? 'added' : 'changed'}.`,
    tone: job.state === 'cancelled' ? 'plain' : 'error',
  }
}

function doneToast(job: VideoJob): Pick<Toast, 'title' | 'description' | 'tone'> {
  const { kind, done, changed, failed, category } = job
  const change = changeOf(job)
  if (kind === 'import') return importedToast(job)
  if (change === (kind === 'undo' ? 'delete' : 'restore')) return restoredToast(job)
  if (kind === 'undo' && (change === 'import' || change === 'restore')) {
    const gone = failed > 0 ? ` ${videoCountText(failed)} not found.` : ''
    const description = `${videoCountText(changed)} deleted.${gone}`
    return { title: `${NOUNS[change]} undone`, description, tone: 'success' }
  }
  if (kind === 'undo') {
    const rest = failed > 0 ? ` ${videoCountText(failed)} skipped because of later changes.` : ''
    const description = `${videoCountText(changed)} restored.${rest}`
    return { title: `${NOUNS[change]} undone`, description, tone: 'success' }
  }
  const rest = failed > 0 ? ` ${videoCountText(failed)} not found.` : ''
  if (change === 'delete') {
    return {
      title: 'Videos deleted',
      description: `${videoCountText(changed)} deleted.${rest}`,
      tone: 'success',
    }
  }
  return change === 'move'
    ? {
        title: 'Categories updated',
        description: `${videoCountText(done)} moved to ${category ?? 'a category'}.${rest}`,
        tone: 'success',
      }
    : { title: 'Videos updated', description: `${videoCountText(changed)} updated.${rest}`, tone: 'success' }
}

function importedToast({ done, changed, failed }: VideoJob): Pick<Toast, 'title' | 'description' | 'tone'> {
  const known = done - changed
  return {
    title: changed > 0 ? 'Videos added successfully' : 'No videos added',
    description: [
      `${videoCountText(changed)} added.`,
      ...(known > 0 ? [`${numberText(known)} skipped: already in the library.`] : []),
      ...(failed > 0 ? [`${numberText(failed)} skipped: not the URL of a playable video.`] : []),
    ].join(' '),
    tone: changed > 0 ? 'success' : 'error',
  }
}

function restoredToast({ changed, failed }: VideoJob): Pick<Toast, 'title' | 'description' | 'tone'> {
  const rest =
    failed > 0 ? ` ${videoCountText(failed)} not restored because the library already has the same URL.` : ''
  return {
    title: changed > 0 ? 'Videos restored' : 'No videos restored',
    description: `${videoCountText(changed)} restored.${rest}`,
    tone: changed > 0 ? 'success' : 'error',
  }
}

/** How far a job has been undone, which has an undo: "undone", "being undone" or "partly undone". */
export function undoText({ undoneBy }: VideoJob, jobs: readonly VideoJob[]): string {
  const undo = jobs.find(({ id }) => id === undoneBy)
  if (undo === undefined || undo.state === 'done') return 'undone'
  return undo.state === 'cancelled' || undo.state === 'failed' ? 'partly undone' : 'being undone'
}
