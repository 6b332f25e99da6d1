import type { ButtonHTMLAttributes, Ref } from 'react'
import { useSession } from '../lib/session.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { buttonClass } from '../ui/button.tsx'

/** What the signed-in person is called here: the handle, until it is known the mail address. */
export function useOwnName(): string {
  const { me, email } = useSession()
  return me?.profile.handle ?? email?.split('@')[0] ?? ''
}

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }

/** Opens the menu of who is signed in; shows their picture. */
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
