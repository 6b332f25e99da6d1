import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SettingsSection } from './settings-section.tsx'

/** The button that opens the form for a new password, or for the first one. */
export function PasswordSection(props: { hasPassword: boolean; form: (onDone: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const name = props.hasPassword ? 'Change Password' : 'Set a Password'
  return (
    <SettingsSection
      title="Password"
      text={
        props.hasPassword
          ? 'Changing it signs out your other devices.'
          : 'You sign in by email. Set a password to sign in without it.'
      }
      action={<Button onClick={() => setOpen(true)}>{name}</Button>}
    >
      <Dialog title={name} width="narrow" isOpen={isOpen} onClose={close}>
        {props.form(close)}
      </Dialog>
    </SettingsSection>
  )
}
