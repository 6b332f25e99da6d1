import { useState } from 'react'
import useSWR, { useSWRConfig } from 'swr'
import { keyOf } from '../../../lib/api/use-call.ts'
import { dialogPart } from '../../../lib/browser/part.tsx'
import { authClient } from '../../../lib/clients.ts'
import { failureText } from '../../../lib/failures.ts'
import type { FactorDevice } from '../../../lib/session/factor-devices.ts'
import type { FactorList } from '../../../lib/session/factor-methods.ts'
import { isPasskeySupported } from '../../../lib/session/passkey-support.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useConfirm } from '../../../ui/use-confirm.tsx'

const AddAppDialog = dialogPart(async () => (await import('./add-app-dialog.tsx')).AddAppDialog)
const AddKeyDialog = dialogPart(async () => (await import('./add-key-dialog.tsx')).AddKeyDialog)
const CodesDialog = dialogPart(async () => (await import('./codes-dialog.tsx')).CodesDialog)

type DialogName = 'app' | 'key' | 'codes'

/** Two-step verification: the user's authenticator apps, security keys and recovery codes. */
export function TwoStepSection() {
  const { userId, me, retry } = useSession()
  const [isOpen, setOpen] = useState<DialogName>()
  const { confirm, confirmation } = useConfirm()
  const { mutate: mutateAll } = useSWRConfig()
  const {
    data: factors,
    error,
    mutate,
  } = useSWR(userId ? (['auth/factors', userId] as const) : null, () => authClient.factors())
  if (!factors && error) {
    return <ErrorNotice text="Two-step verification could not be loaded." onRetry={() => void mutate()} />
  }
  if (!factors) return <Skeleton className="h-24" />

  const close = () => {
    setOpen(undefined)
    void mutate()
    // The role may count from now on.
    void retry()
    // The other devices are signed out when an app is added.
    void mutateAll(keyOf('GET /api/me/sessions', {}, { userId }))
  }
  // The codes come next, unless there are some.
  const onAdded = () => {
    close()
    if (!factors.recoveryCodes) setOpen('codes')
  }
  const remove = ({ id, kind }: FactorDevice) =>
    confirm({
      title: `Remove ${WORDS[kind].title}`,
      confirmLabel: `Remove ${WORDS[kind].short}`,
      text: <p>{removalText(factors, kind)}</p>,
      onConfirm: async () => {
        try {
          await authClient.removeFactor(id)
          await mutate()
          toast({ title: `${WORDS[kind].title} Removed`, tone: 'success' })
        } catch (failure) {
          const description = failureText(failure, 'It could not be removed.')
          toast({ title: 'Error', description, tone: 'error' })
        }
      },
    })

  const isOn = factors.devices.length > 0
  const hasApp = factors.devices.some(({ kind }) => kind === 'app')
  return (
    <>
      {!isOn && me?.secondFactor && (
        <p className="font-medium">
          {me.secondFactor === 'required'
            ? 'Your role requires two-step verification. Until you turn it on, you have the permissions of a viewer.'
            : 'Recommended for your role.'}
        </p>
      )}
      <p className="text-sm text-muted">
        {isOn
          ? 'On. To sign in, you need a code or security key in addition to your password or email link.'
          : 'Off. Your password or an email link alone is enough to sign in. To turn it on, you need an authenticator app or a security key.'}
      </p>
      {isOn && (
        <ul className="grid gap-2">
          {factors.devices.map((device) => (
            <Device key={device.id} device={device} onRemove={() => remove(device)} />
          ))}
        </ul>
      )}
      {isOn && <RecoveryCodes factors={factors} onCreate={() => setOpen('codes')} />}
      <div className="flex flex-wrap gap-2">
        <Button tone={isOn ? 'quiet' : 'primary'} onClick={() => setOpen('app')}>
          {hasApp ? 'Add Another App' : isOn ? 'Add Authenticator App' : 'Turn On'}
        </Button>
        {isPasskeySupported() && (
          <Button onClick={() => setOpen('key')}>{isOn ? 'Add Security Key' : 'Use a Security Key'}</Button>
        )}
      </div>
      {confirmation}
      <Dialogs open={isOpen} onClose={close} onAdded={onAdded} />
    </>
  )
}

function Dialogs(props: { open: DialogName | undefined; onClose: () => void; onAdded: () => void }) {
  const { open, onClose, onAdded } = props
  return (
    <>
      {open === 'app' && <AddAppDialog onClose={onClose} onAdded={onAdded} />}
      {open === 'key' && <AddKeyDialog onClose={onClose} onAdded={onAdded} />}
      {open === 'codes' && <CodesDialog onClose={onClose} />}
    </>
  )
}

const WORDS = {
  app: { title: 'Authenticator App', short: 'App', end: 'Its codes will no longer work.' },
  key: { title: 'Security Key', short: 'Key', end: 'It will no longer sign you in.' },
} as const

function removalText({ devices, recoveryCodes }: FactorList, kind: FactorDevice['kind']): string {
  if (devices.length > 1)
    return `${WORDS[kind].end} Devices verified with it will ask for another app or key.`
  const codes = recoveryCodes ? ' Your recovery codes are deleted too.' : ''
  return `This turns off two-step verification: your password or an email link alone will be enough to sign in.${codes}`
}

function Device({ device, onRemove }: { device: FactorDevice; onRemove: () => void }) {
  const added = new Date(device.createdAt).toLocaleDateString(dateLocale, { dateStyle: 'medium' })
  return (
    <li className="flex items-center gap-4 rounded-md border border-line/70 bg-panel px-4 py-3">
      <Icon name="check" className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{device.name}</p>
        <p className="text-sm text-muted">
          {WORDS[device.kind].title} · added {added}
        </p>
      </div>
      <Button tone="plain" className="-mr-3" aria-label={`Remove ${device.name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  )
}

function RecoveryCodes({ factors, onCreate }: { factors: FactorList; onCreate: () => void }) {
  const codes = factors.recoveryCodes
  const { confirm, confirmation } = useConfirm()
  const replace = () =>
    confirm({
      title: 'Create New Recovery Codes',
      confirmLabel: 'Create New Codes',
      text: <p>Your earlier recovery codes will no longer work.</p>,
      onConfirm: onCreate,
    })
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-sm text-muted">
        {codes
          ? `${codes.remaining} of ${codes.total} recovery codes left.`
          : 'No recovery codes. Without them, you lose your account when you lose your phone.'}
      </p>
      <Button onClick={codes ? replace : onCreate}>
        {codes ? 'Create New Recovery Codes' : 'Create Recovery Codes'}
      </Button>
      {confirmation}
    </div>
  )
}
