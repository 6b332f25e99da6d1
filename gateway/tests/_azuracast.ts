/**
 * The schemas of AzuraCast's published OpenAPI document (`web/static/openapi.yml` of github.com/AzuraCast/AzuraCast, commit
 * 4923bde) that `GET /nowplaying` uses: each field with its type, `?` for a nullable one, or the name of another schema.
 * All are required there, except those of a song. `custom_fields` is an array in the document; the software sends an object
 * with the names of the fields, as its documentation of custom fields says.
 */
const AZURACAST = {
  NowPlaying: {
    station: 'Station',
    listeners: 'Listeners',
    live: 'Live',
    now_playing: 'CurrentSong?',
    playing_next: 'StationQueue?',
    song_history: 'SongHistory[]',
    is_online: 'boolean',
    cache: 'string?',
  },
  Station: {
    id: 'integer',
    name: 'string',
    shortcode: 'string',
    description: 'string',
    frontend: 'string',
    backend: 'string',
    timezone: 'string',
    listen_url: 'string',
    url: 'string?',
    public_player_url: 'string',
    playlist_pls_url: 'string',
    playlist_m3u_url: 'string',
    is_public: 'boolean',
    requests_enabled: 'boolean',
    mounts: 'StationMount[]',
    remotes: 'StationRemote[]',
    hls_enabled: 'boolean',
    hls_is_default: 'boolean',
    hls_url: 'string?',
    hls_listeners: 'integer',
  },
  StationMount: {},
  StationRemote: {},
  Listeners: { total: 'integer', unique: 'integer', current: 'integer' },
  Live: { is_live: 'boolean', streamer_name: 'string', broadcast_start: 'integer?', art: 'string?' },
  SongHistory: {
    sh_id: 'integer',
    played_at: 'integer',
    duration: 'integer',
    playlist: 'string?',
    streamer: 'string?',
    is_request: 'boolean',
    song: 'Song',
  },
  CurrentSong: {
    sh_id: 'integer',
    played_at: 'integer',
    duration: 'integer',
    playlist: 'string?',
    streamer: 'string?',
    is_request: 'boolean',
    song: 'Song',
    elapsed: 'integer',
    remaining: 'integer',
  },
  StationQueue: {
    cued_at: 'integer',
    played_at: 'integer?',
    duration: 'number',
    playlist: 'string?',
    is_request: 'boolean',
    song: 'Song',
  },
  Song: {
    text: 'string',
    artist: 'string?',
    title: 'string?',
    album: 'string?',
    genre: 'string?',
    isrc: 'string?',
    lyrics: 'string?',
    id: 'string',
    art: 'string',
    custom_fields: 'object',
  },
} as const satisfies Record<string, Record<string, string>>

type SchemaName = keyof typeof AZURACAST

const isSchema = (type: string): type is SchemaName => type in AZURACAST

/** What differs from a schema of AzuraCast: missing and additional fields, and wrong types, by their path. */
export function differences(schema: SchemaName, value: unknown, path: string = schema): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: no object`]
  const fields: Record<string, string> = AZURACAST[schema]
  const added = Object.keys(value)
    .filter((name) => !(name in fields))
    .map((name) => `${path}.${name}: additional`)
  const wrong = Object.entries(fields).flatMap(([name, type]) =>
    name in value
      ? differencesOf(type, (value as Record<string, unknown>)[name], `${path}.${name}`)
      : [`${path}.${name}: missing`],
  )
  return [...added, ...wrong]
}

function differencesOf(type: string, value: unknown, path: string): string[] {
  if (type.endsWith('?')) return value === null ? [] : differencesOf(type.slice(0, -1), value, path)
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${path}: no array`]
    return value.flatMap((item, index) => differencesOf(type.slice(0, -2), item, `${path}[${index}]`))
  }
  if (isSchema(type)) return differences(type, value, path)
  const isOfType = type === 'integer' ? Number.isInteger(value) : typeof value === type
  return isOfType ? [] : [`${path}: not ${type}`]
}
