/** `@capacitor-community/keep-awake`. */
export interface KeepAwakePlugin {
  keepAwake: () => Promise<void>
  allowSleep: () => Promise<void>
}

/** `@capacitor/screen-orientation`. */
interface ScreenOrientationPlugin {
  orientation: () => Promise<{ type: string }>
  lock: (options: { orientation: string }) => Promise<void>
  unlock: () => Promise<void>
}

export interface NativePlugins {
  KeepAwake?: KeepAwakePlugin
  ScreenOrientation?: ScreenOrientationPlugin
}

/** What Capacitor's bridge adds to the window inside a native app. */
export interface CapacitorHost {
  Capacitor?: { isNativePlatform?: () => boolean; Plugins?: NativePlugins }
}

/**
 * The plugins of the native app that shows this page; none in a browser. They are read from the app's bridge, so that
 * no Capacitor code is sent to browsers.
 */
export function nativePlugins(host: CapacitorHost): NativePlugins {
  const { Capacitor } = host
  return Capacitor?.isNativePlatform?.() ? (Capacitor.Plugins ?? {}) : {}
}
