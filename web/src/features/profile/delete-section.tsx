import type { Me } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { dialogPart } from '../../lib/browser/part.tsx'
import { Button } from '../../ui/button.tsx'

const DeleteDialog = dialogPart(async () => (await import('./delete-dialog.tsx')).DeleteDialog)

/** What is deleted with an account, and the button to delete it. */
export function DeleteSection({ me }: { me: Me }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <p className="text-sm text-muted">
        {me.email === null
          ? 'Your playlists are deleted.'
          : 'Your profile, picture and playlists are deleted. Your chat messages are deleted or stay without your name, as you choose. Videos you added stay in the library.'}
      </p>
      <Button tone="danger" className="justify-self-start" onClick={() => setOpen(true)}>
        Delete Account
      </Button>
      {isOpen && <DeleteDialog me={me} onClose={() => setOpen(false)} />}
    </>
  )
}
