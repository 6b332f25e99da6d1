import type { IBarmanObjectStoreConfiguration } from '@kubernetes-models/cloudnative-pg/github.com/cloudnative-pg/barman-cloud/pkg/api/BarmanObjectStoreConfiguration'
import type { IScheduledBackup } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/ScheduledBackup'

/** Where CloudNativePG's Barman Cloud plugin keeps backups, as its CRD of version 0.13 describes it (what we use of it). */
export interface IObjectStore {
  apiVersion: 'barmancloud.cnpg.io/v1'
  kind: 'ObjectStore'
  metadata: IScheduledBackup['metadata']
  spec: {
    configuration: IBarmanObjectStoreConfiguration
    /** A number of days, weeks or months: `30d`. */
    retentionPolicy?: `${number}${'d' | 'w' | 'm'}`
  }
}
