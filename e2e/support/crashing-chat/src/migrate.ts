import '../../../../services/chat/src/migrate.ts'
