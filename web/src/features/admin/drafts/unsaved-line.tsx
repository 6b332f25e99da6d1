import { Link } from 'react-router-dom'
import { useDrafts } from './account-drafts.ts'

/** "Unsaved: Night Jazz playlist, Theme"; each name links to its editor. Renders nothing without drafts. */
export function UnsavedLine() {
  const { drafts } = useDrafts()
  return (
    <div role="status" className="basis-full empty:hidden">
      {drafts.length > 0 && (
        <p className="text-sm text-muted">
          Unsaved:{' '}
          {drafts.map(({ key, label, path }, index) => (
            <span key={key}>
              {index > 0 && ', '}
              <Link to={path} className="font-medium text-text underline underline-offset-2">
                {label}
              </Link>
            </span>
          ))}
        </p>
      )}
    </div>
  )
}
