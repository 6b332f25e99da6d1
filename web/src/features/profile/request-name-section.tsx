import { useCall } from '../../lib/api/use-call.ts'
import { useConfig } from '../../lib/api/use-config.ts'
import { api } from '../../lib/clients.ts'
import { useAction } from '../../lib/failures.ts'
import { Switch } from '../../ui/switch.tsx'
import { SettingsSection } from './settings-section.tsx'

/** Whether others see who has made the viewer's requests, on stations with requests. */
export function RequestNameSection() {
  return useConfig().requests && <Section />
}

function Section() {
  const { data, mutate } = useCall('GET /api/me/requests/settings', {})
  const { run } = useAction()
  const change = (showsName: boolean) =>
    run(
      () =>
        mutate(api.call('PATCH /api/me/requests/settings', { body: { showsName } }), { revalidate: false }),
      { title: 'Not changed', text: 'The setting was not saved. Please try again.' },
    )
  return (
    data && (
      <SettingsSection
        title="Requests"
        text="Your name is beside the videos that you request, in the list of requests and when they are on."
      >
        <Switch label="Show my name" isOn={data.showsName} onChange={(shows) => void change(shows)} />
      </SettingsSection>
    )
  )
}
