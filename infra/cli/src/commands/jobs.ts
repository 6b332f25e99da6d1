import type { VideoJob } from '@looptide/contracts/http/video-jobs'
import { count } from '../count.ts'
import type { Session } from '../session.ts'
import { table } from '../table.ts'
import type { AddCommands } from './add-commands.ts'

/** Adds `jobs`. */
export const addJobCommands: AddCommands = (program, act) => {
  const jobs = program.command('jobs').description('changes of many videos, of the last 24 hours')
  jobs.command('list').description('list them, newest first').action(act(list))
  jobs
    .command('cancel')
    .description('cancel one that waits or runs; what it has changed stays, and can be undone')
    .argument('<id>')
    .action(act(cancel))
  jobs
    .command('undo')
    .description('start to undo one, except for videos that were changed since')
    .argument('<id>')
    .action(act(undo))
}

async function list(session: Session): Promise<void> {
  const found: VideoJob[] = []
  for await (const job of (await session.station()).list('GET /api/videos/jobs', {})) found.push(job)
  const rows = found.map((job) => [
    job.id,
    job.undoesKind === null ? job.kind : `${job.kind} ${job.undoesKind}`,
    job.isCancelling ? 'cancelling' : job.state,
    `${job.done} of ${job.total}`,
    String(job.failed),
    job.createdAt,
    job.canUndo ? 'yes' : 'no',
  ])
  const headings = ['ID', 'KIND', 'STATE', 'DONE', 'FAILED', 'STARTED', 'CAN BE UNDONE']
  session.report(found, found.length === 0 ? 'No changes in the last 24 hours.' : table(headings, rows))
}

async function cancel(session: Session, id: string): Promise<void> {
  const job = await (await session.station()).call('POST /api/videos/jobs/:id/cancel', { params: { id } })
  session.report(job, `${sentence(job)} ${count(job.changed, 'video')} changed so far.`)
}

const sentence = ({ id, state, isCancelling }: VideoJob): string =>
  isCancelling ? `${id} stops after the batch that is under way.` : `${id} is ${state}.`

async function undo(session: Session, id: string): Promise<void> {
  const job = await (await session.station()).call('POST /api/videos/jobs/:id/undo', { params: { id } })
  session.report(job, `${job.id} undoes the change of ${count(job.total, 'video')}.`)
}
