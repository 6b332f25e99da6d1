import { type ComponentType, type ReactNode, Suspense, use } from 'react'
import { renewWhenCaught } from './failed-parts.ts'
import { loader } from './loader.ts'
import { PartBoundary } from './part-boundary.tsx'

interface Part<Props> {
  (props: Props): ReactNode
  /** Loads the code, unless it is loaded. Rejects if that fails. */
  preload: () => Promise<unknown>
}

/**
 * A component whose code is loaded when it is first shown, or by `preload`. Unlike one of `lazy`, it is loaded again when
 * it is next shown after a failure. Render it inside `Suspense` and an error boundary. `isPage`: after a failure the whole
 * document is reloaded when the network returns.
 */
export function part<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isPage = false,
): Part<Props> {
  let Loaded: ComponentType<Props> | undefined
  let shown: Promise<ComponentType<Props>> | undefined
  const preload = loader(async () => {
    Loaded = await load()
    return Loaded
  })
  /** The same promise, also a rejected one, until a boundary has caught the failure. */
  const request = (): Promise<ComponentType<Props>> => {
    if (shown) return shown
    shown = preload(!isPage)
    shown.catch(() =>
      renewWhenCaught(() => {
        shown = undefined
      }),
    )
    return shown
  }
  const Part = (props: Props) => {
    // Loaded code is shown at once, without a fallback for a moment.
    const Content = Loaded ?? use(request())
    return <Content {...props} />
  }
  return Object.assign(Part, { preload: () => preload() })
}

/** A small piece of a page that is left out until its code is loaded, and if that fails. */
export function inlinePart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Content = part(load)
  return (props: Props) => (
    <PartBoundary>
      <Suspense>
        <Content {...props} />
      </Suspense>
    </PartBoundary>
  )
}

/** A dialog whose code is loaded when it is opened. If that fails, a toast says so, and `onClose` is called. */
export function dialogPart<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): Part<Props> {
  const Content = part(load)
  const Dialog = (props: Props) => (
    <PartBoundary onFailure={props.onClose}>
      <Suspense>
        <Content {...props} />
      </Suspense>
    </PartBoundary>
  )
  return Object.assign(Dialog, { preload: Content.preload })
}
