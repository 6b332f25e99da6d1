import { Type } from 'typebox'
import {
  AuditActions,
  AuditExportBody,
  AuditPage,
  AuditQuery,
  GuardBody,
  GuardResult,
  LastEditor,
  LastEditorQuery,
  RefusedAttemptsBody,
} from '../http/admin.ts'
import { EmbedSettings } from '../http/embeds.ts'
import {
  SaveThemeBody,
  THEME_ASSET_MAX_BYTES,
  ThemeAsset,
  ThemeAssetParams,
  ThemeAssetQuery,
  ThemeBody,
  ThemeHistory,
} from '../http/themes.ts'
import { file, operation } from '../operation.ts'
import { PICTURE_TYPES } from '../pictures.ts'

/** The theme in use. Responds 304 if `If-None-Match` is its ETag. */
export const adminThemeGet = operation({
  name: 'admin.theme.get',
  summary: 'Get the theme in use',
  call: 'GET /api/theme',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  versioned: ['ETag'],
  shared: {},
  output: { 200: ThemeBody, 304: null },
})

export const adminThemeReadAsset = operation({
  name: 'admin.theme.read_asset',
  summary: 'Get a picture of a theme',
  call: 'GET /api/theme/assets/:version',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ThemeAssetParams },
  output: { 200: file(...PICTURE_TYPES) },
})

export const adminThemeSave = operation({
  name: 'admin.theme.save',
  summary: 'Save and activate a theme',
  call: 'PUT /api/theme',
  audience: 'themes:edit',
  token: 'home',
  versioned: ['ETag', 'If-Match'],
  input: { body: SaveThemeBody },
  output: { 200: ThemeBody },
})

/** Stores the picture in the body, at most {@link THEME_ASSET_MAX_BYTES}. */
export const adminThemeUpload = operation({
  name: 'admin.theme.upload',
  summary: 'Upload a picture for a theme or a channel',
  call: 'POST /api/theme/assets',
  audience: 'themes:edit',
  token: 'home',
  bodyBytes: THEME_ASSET_MAX_BYTES,
  consumes: PICTURE_TYPES,
  input: { query: ThemeAssetQuery },
  output: { 201: ThemeAsset },
})

export const adminThemeHistory = operation({
  name: 'admin.theme.history',
  summary: 'List saved themes',
  call: 'GET /api/theme/history',
  audience: 'themes:edit',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: ThemeHistory },
})

/** Whose pages may show embeds. Public: each embed names them in a header. */
export const adminEmbedsRead = operation({
  name: 'admin.embeds.read',
  summary: 'Get whose pages may show embeds',
  call: 'GET /api/embeds',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  versioned: ['ETag'],
  shared: {},
  output: { 200: EmbedSettings },
})

export const adminEmbedsUpdate = operation({
  name: 'admin.embeds.update',
  summary: 'Set whose pages may show embeds',
  call: 'PUT /api/embeds',
  audience: 'system:operate',
  token: 'session-only',
  versioned: ['ETag', 'If-Match'],
  input: { body: EmbedSettings },
  output: { 200: EmbedSettings },
})

export const adminAuditLastEditor = operation({
  name: 'admin.audit.last_editor',
  summary: 'Get the user who last changed the home page, a playlist or a video',
  call: 'GET /api/audit/last-editor',
  audience: 'dashboard:watch',
  token: 'session-only',
  input: { query: LastEditorQuery },
  output: { 200: LastEditor },
})

export const adminAuditList = operation({
  name: 'admin.audit.list',
  summary: 'List the audit log',
  call: 'GET /api/audit',
  audience: 'audit:read',
  token: 'session-only',
  input: { query: AuditQuery },
  output: { 200: AuditPage },
})

export const adminAuditActions = operation({
  name: 'admin.audit.actions',
  summary: 'List the actions in the audit log',
  call: 'GET /api/audit/actions',
  audience: 'audit:read',
  token: 'session-only',
  output: { 200: AuditActions },
})

/** Streams the log as a file. The header `x-truncated: true` means that the export reached its maximum size. */
export const adminAuditExport = operation({
  name: 'admin.audit.export',
  summary: 'Export the audit log',
  call: 'POST /api/audit/export',
  audience: 'audit:read',
  token: 'session-only',
  input: { body: AuditExportBody },
  output: { 200: file('text/csv', 'application/json') },
})

/** Services ask whether a guarded action may run. Not reachable through the gateway. */
export const adminGuardCheck = operation({
  name: 'admin.guard.check',
  summary: 'Check whether a guarded action may run',
  call: 'POST /internal/guard',
  audience: 'internal',
  token: 'session-only',
  input: { body: GuardBody },
  output: { 200: GuardResult },
})

/** Processes report requests they refused. Not reachable through the gateway. */
export const adminRefusedAttemptsRecord = operation({
  name: 'admin.refused_attempts.record',
  summary: 'Record refused admin and moderator actions',
  call: 'POST /internal/refused-attempts',
  audience: 'internal',
  token: 'session-only',
  input: { body: RefusedAttemptsBody },
  output: { 200: Type.Object({ taken: Type.Integer() }) },
})
