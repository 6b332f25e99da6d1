/** `@capacitor-community/keep-awake`. */
export type KeepAwakePlugin = { keepAwake: () => Promise<void>; allowSleep: () => Promise<void> }

/** `@capacitor/screen-orientation`. */
export type ScreenOrientationPlugin = {
  orientation: () => Promise<{ type: string }>
  lock: (options: { orientation: string }) => Promise<void>
  unlock: () => Promise<void>
}

export type NativePlugins = { KeepAwake?: KeepAwakePlugin; ScreenOrientation?: ScreenOrientationPlugin }

/** What Capacitor's bridge puts on the window of an app that it wraps. */
export type CapacitorHost = {
  Capacitor?: { isNativePlatform?: () => boolean; Plugins?: NativePlugins }
}

/**
 * The plugins of the native app around this page; none in a browser. They come from the app's own bridge, so that
 * browsers are sent nothing of Capacitor.
 */
export function nativePlugins(host: CapacitorHost): NativePlugins {
  const { Capacitor } = host
  return Capacitor?.isNativePlatform?.() ? (Capacitor.Plugins ?? {}) : {}
}
