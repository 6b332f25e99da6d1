import type { VideoJob } from '@looptide/contracts/http/video-jobs'

/** Whether a job is waiting or running. */
export const isUnfinished = ({ state }: Pick<VideoJob, 'state'>): boolean =>
  state === 'waiting' || state === 'running'

/**
 * Reports the end of each job that this page has started, once. The push of its end may arrive before the answer to the
 * request that started it.
 */
export class JobResults {
  readonly #started = new Set<string>()
  readonly #ended = new Map<string, VideoJob>()
  readonly #report: (job: VideoJob) => void

  constructor(report: (job: VideoJob) => void) {
    this.#report = report
  }

  started({ id }: Pick<VideoJob, 'id'>): void {
    const ended = this.#ended.get(id)
    if (ended) this.#report(ended)
    else this.#started.add(id)
  }

  /** The state of a job, of anybody, that was pushed or fetched. */
  changed(job: VideoJob): void {
    if (isUnfinished(job)) return
    if (this.#started.delete(job.id)) this.#report(job)
    this.#ended.set(job.id, job)
  }
}
