/**
 * Names in UI Events of keys for which a television's browser reports only a number:
 * - Samsung Tizen, "Remote Control": developer.samsung.com/smarttv/develop/guides/user-interaction/remote-control.html
 * - LG webOS, "Magic Remote": webostv.developer.lge.com/develop/guides/magic-remote
 * - HbbTV and older sets: the VK_ constants of CEA-2014-A
 */
const NAMES: Record<number, string> = {
  18: 'Menu',
  19: 'MediaPause',
  179: 'MediaPlayPause',
  227: 'MediaRewind',
  228: 'MediaFastForward',
  412: 'MediaRewind',
  413: 'MediaStop',
  415: 'MediaPlay',
  417: 'MediaFastForward',
  427: 'ChannelUp',
  428: 'ChannelDown',
  447: 'AudioVolumeUp',
  448: 'AudioVolumeDown',
  449: 'AudioVolumeMute',
  458: 'Guide',
  461: 'GoBack',
  462: 'Menu',
  10009: 'GoBack',
  10182: 'BrowserHome',
  10232: 'MediaTrackPrevious',
  10233: 'MediaTrackNext',
  10252: 'MediaPlayPause',
}

/** The name of a pressed key: the browser's, unless it is missing or an X11 name (`XF86…`). */
export function keyName({ key, keyCode }: Pick<KeyboardEvent, 'key' | 'keyCode'>): string {
  const isNameless = key === '' || key === 'Unidentified' || key.startsWith('XF86')
  return isNameless ? (NAMES[keyCode] ?? key) : key
}
