import type { Me } from '@looptide/contracts/http/users'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'

const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }))

/** What goes with an account, and the way to let it go. */
export function DeleteSection({ me }: { me: Me }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <p className="text-sm text-muted">
        Your profile, your picture and your playlists go. Your chat messages stay without your name, and
        videos you added stay in the library.
      </p>
      <Button tone="danger" className="justify-self-start" onClick={() => setOpen(true)}>
        Delete Account
      </Button>
      {isOpen && (
        <Suspense>
          <DeleteDialog me={me} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
