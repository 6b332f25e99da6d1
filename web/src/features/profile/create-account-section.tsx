import type { Me } from '@looptide/contracts/http/users'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { EmailForm } from './email-form.tsx'
import { PendingEmailChange } from './pending-email-change.tsx'
import { SettingsSection } from './settings-section.tsx'

const ID = 'create-account'

/** Where an anonymous user adds an email address. Links to it (`paths.createAccount`) focus the field. */
export function CreateAccountSection({ me }: { me: Me }) {
  const { hash, key } = useLocation()
  const content = useRef<HTMLDivElement>(null)
  // `key` differs for each navigation, also for a repeated one.
  useEffect(() => {
    if (hash === `#${ID}`) content.current?.querySelector('input')?.focus()
  }, [hash, key])
  return (
    <SettingsSection
      title="Create an account"
      text="Add an email address to keep your playlists and to sign in on other devices."
    >
      <div ref={content} className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {me.emailChange ? <PendingEmailChange me={me} change={me.emailChange} /> : <EmailForm me={me} />}
      </div>
    </SettingsSection>
  )
}
