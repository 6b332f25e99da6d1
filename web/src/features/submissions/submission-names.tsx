import type { Submission } from '@looptide/contracts/http/submissions'
import { videoName } from '../admin/video-texts.ts'

/** Number of videos listed by title; the rest are counted. */
const NAMED = 5

/** The titles of the videos that a dialog is about. */
export function SubmissionNames({ submissions }: { submissions: readonly Submission[] }) {
  const rest = submissions.length - NAMED
  return (
    <ul className="grid gap-1">
      {submissions.slice(0, NAMED).map(({ video }) => (
        <li key={video.id} className="line-clamp-2 font-medium wrap-anywhere">
          {videoName(video)}
        </li>
      ))}
      {rest > 0 && <li className="text-muted">and {rest} more</li>}
    </ul>
  )
}
