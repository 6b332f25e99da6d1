import { Link } from 'react-router-dom'
import { AdminGate } from '../../features/admin/admin-gate.tsx'
import { ChannelManager } from '../../features/channels/channel-manager.tsx'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

/** The list of channels, for those who create and change them. Each leads to its own page. */
export function ChannelsPage() {
  usePageTitle('Channels')
  return (
    <AdminGate place="admin dashboard" permission="channels:manage">
      <main
        id="main"
        className="mx-auto grid w-full max-w-[100rem] content-start gap-6 px-4 py-4 sm:px-6 sm:py-6"
      >
        <div className="flex flex-wrap items-center gap-4">
          <Link to={paths.admin('channels')} className={buttonClass('quiet', 'max-sm:size-11 max-sm:p-0')}>
            <Icon name="back" />
            <span className="max-sm:sr-only">Admin Dashboard</span>
          </Link>
          <h1 className="text-2xl font-semibold">Channels</h1>
        </div>
        <ChannelManager />
      </main>
    </AdminGate>
  )
}
