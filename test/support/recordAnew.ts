/** If loaded before tests, `RecordedRecognitions` asks the models for everything and keeps their answers. */
process.env['DIALTREE_RECORD'] = '1';
