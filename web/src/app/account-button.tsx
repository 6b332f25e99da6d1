import type { ButtonHTMLAttributes, Ref } from 'react'
import { useSession } from '../lib/session/session.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { buttonClass } from '../ui/button.tsx'

/** The display name of the signed-in user: the handle or, until it is loaded, the local part of the email address. */
export function useOwnName(): string {
  const { me, email } = useSession()
  return me?.profile.handle ?? email?.split('@')[0] ?? ''
}

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }

/** The button of the account menu; shows the user's picture. */
export function AccountButton(props: Props) {
  const { me } = useSession()
  return (
    <button
      type="button"
      aria-label="Account"
      title="Account"
      aria-haspopup="menu"
      className={buttonClass('plain', 'button-icon rounded-full')}
      {...props}
    >
      <Avatar name={useOwnName()} url={me?.profile.avatarUrl} size="small" />
    </button>
  )
}
