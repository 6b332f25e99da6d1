import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** The button that opens the form for a new password, or for the first one. */
export function PasswordSection(props: { hasPassword: boolean; form: (onDone: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const name = props.hasPassword ? 'Change Password' : 'Set a Password'
  return (
    <>
      <Button className="justify-self-start" onClick={() => setOpen(true)}>
        {name}
      </Button>
      <Dialog title={name} width="narrow" isOpen={isOpen} onClose={close}>
        {props.form(close)}
      </Dialog>
    </>
  )
}
