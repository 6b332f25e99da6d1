import { LatestChanges } from '../../features/audit/latest-changes.tsx'
import { ControlRoom } from '../../features/operations/control-room/control-room.tsx'
import { useSession } from '../../lib/session/session.tsx'

/** The "Control Room" section; the changes only for those who may read the audit log. */
export function ControlRoomSection() {
  const { may } = useSession()
  return <ControlRoom>{may('audit:read') && <LatestChanges />}</ControlRoom>
}
