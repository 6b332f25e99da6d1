import { DevicesPage } from '../../../features/profile/devices-page.tsx'
import { useSignOut } from '../../use-sign-out.tsx'

/** The user's devices, the current one of which signs out like the menu. */
export function OwnDevicesPage() {
  const { signOut, confirmation } = useSignOut()
  return (
    <>
      <DevicesPage onSignOut={() => void signOut()} />
      {confirmation}
    </>
  )
}
