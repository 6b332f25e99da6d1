import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { wouldLose } from '../../lib/browser/loss-guard.ts'
import { buttonClass } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'

/** The link that leaves the admin pages. It asks first if something typed or selected would be lost. */
export function LeaveLink(props: { to: string; className?: string; children: ReactNode }) {
  const { to } = props
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Link
        to={to}
        className={buttonClass('quiet', props.className)}
        onClick={(event) => {
          if (!wouldLose()) return
          event.preventDefault()
          setAsking(true)
        }}
      >
        <Icon name="back" />
        {props.children}
      </Link>
      {isAsking && (
        <ConfirmDialog
          title="Leave this page?"
          confirmLabel="Leave"
          onConfirm={() => void navigate(to)}
          onCancel={() => setAsking(false)}
        >
          <p>
            What is typed or selected here will be lost. Drafts of playlists, schedules and the theme are
            kept.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
