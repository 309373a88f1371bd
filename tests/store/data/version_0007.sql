BEGIN TRANSACTION;
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
INSERT INTO "alembic_version" VALUES('0007');
CREATE TABLE annotations (
	number INTEGER NOT NULL, 
	run INTEGER NOT NULL, 
	case_index BIGINT NOT NULL, 
	case_id TEXT NOT NULL, 
	spec TEXT NOT NULL, 
	about VARCHAR(32) NOT NULL, 
	statement INTEGER NOT NULL, 
	claim TEXT NOT NULL, 
	annotator VARCHAR(200) NOT NULL, 
	verdict VARCHAR(8) NOT NULL, 
	note TEXT NOT NULL, 
	created VARCHAR(40) NOT NULL, 
	updated VARCHAR(40) NOT NULL, 
	PRIMARY KEY (number)
);
CREATE TABLE baselines (
	name VARCHAR(200) NOT NULL, 
	run INTEGER NOT NULL, 
	since VARCHAR(40) NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE batches (
	run_id VARCHAR(64) NOT NULL, 
	number INTEGER NOT NULL, 
	vendor TEXT NOT NULL, 
	model TEXT NOT NULL, 
	address TEXT NOT NULL, 
	batch TEXT, 
	since FLOAT NOT NULL, 
	requests INTEGER NOT NULL, 
	keys TEXT NOT NULL, 
	PRIMARY KEY (run_id, number)
);
CREATE TABLE cases (
	"key" VARCHAR(32) NOT NULL, 
	case_id TEXT NOT NULL, 
	name TEXT, 
	input TEXT NOT NULL, 
	body TEXT NOT NULL, 
	answer TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "cases" VALUES('d18685d39cc24e52638628cce5a6b5d9','c',NULL,'No context here?','{"input":"No context here?","actual_output":"I do not know.","id":"c"}','I do not know.');
INSERT INTO "cases" VALUES('8187a0488e33b59bafc0b6d2cd783fc5','a',NULL,'How many days a week may I work from home?','{"input":"How many days a week may I work from home?","actual_output":"You may work from home five days a week.","expected_output":"Up to three days a week.","retrieval_context":["Policy 4.2: employees may work from home up to three days a week."],"id":"a"}','You may work from home five days a week.');
INSERT INTO "cases" VALUES('46a2b21334d88259d35a0fe5b4be9c96','b',NULL,'When does the canteen open?','{"input":"When does the canteen open?","actual_output":"The canteen opens at 11:30.","expected_output":"At 11:30.","retrieval_context":["The canteen opens at 11:30 on weekdays.","Parking is free."],"id":"b"}','The canteen opens at 11:30.');
CREATE TABLE exchanges (
	run INTEGER NOT NULL, 
	"key" VARCHAR(32) NOT NULL, 
	case_index BIGINT NOT NULL, 
	prompt TEXT NOT NULL, 
	recorded BOOLEAN NOT NULL, 
	latency_ms FLOAT NOT NULL, 
	calls INTEGER NOT NULL, 
	input_tokens BIGINT NOT NULL, 
	output_tokens BIGINT NOT NULL, 
	cost FLOAT, 
	body TEXT NOT NULL, 
	judge TEXT DEFAULT '' NOT NULL, 
	error TEXT, 
	request TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (run, "key")
);
INSERT INTO "exchanges" VALUES(1,'0675076cdd170dffc85772477157e106',0,'AttributeStatements',0,2.0498668960000259176e+03,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":1,\"statement\":\"Up to three days a week.\",\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'8ffcf6c4644e1c01871941dffd710f23',1,'AttributeStatements',0,4.06130609999308944679e+01,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":1,\"statement\":\"At 11:30.\",\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'32a97e8906bde9c89c7b8240299ebb57',0,'ExtractClaims',0,1.32839900004455557791e+00,1,0,0,0.0,'{"response":"{\"claims\":[\"You may work from home five days a week.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'76222b3f3b0e7be90c433bf5de2db88f',0,'ExtractTruths',0,1.56714499996724043739e+00,1,0,0,0.0,'{"response":"{\"truths\":[{\"passage\":1,\"fact\":\"Policy 4.2: employees may work from home up to three days a week.\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'cd5fec15a68f47a9ad157ded547f92e2',1,'ExtractClaims',0,4.26516000061383238062e-01,1,0,0,0.0,'{"response":"{\"claims\":[\"The canteen opens at 11:30.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'75b717f9f675e28e32a7b26db34dd388',1,'ExtractTruths',0,0.409203999993224,1,0,0,0.0,'{"response":"{\"truths\":[{\"passage\":1,\"fact\":\"The canteen opens at 11:30 on weekdays.\"},{\"passage\":2,\"fact\":\"Parking is free.\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'28244798af795bf54fcf5dc7bd9d107d',0,'JudgeClaims',0,1.48497313000007125083e+02,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":null,\"reason\":\"another number: the statement says \\\"five\\\", the passage \\\"three\\\"\",\"verdict\":\"no\"}]}","beside":{"probabilities":[0.0804859665913306]},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'0f7a6f5e85ab32b0702510708645fac8',1,'JudgeClaims',0,4.93280819999881714466e+01,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":null,\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{"probabilities":[0.9525405818856668]},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'9a07f3bcc10a69da0abeddc1a4ad908a',0,'JudgeUsefulness',0,1.60708651400000235298e+03,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":null,\"reason\":\"it holds what the expected output says\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'0675076cdd170dffc85772477157e106',0,'AttributeStatements',0,3.40270279999685953953e+01,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":1,\"statement\":\"Up to three days a week.\",\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'61ab5dfa87e4bd2a3d721ed08c1f2514',0,'JudgePassages',0,4.71504899996944,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":1,\"statement\":\"Policy 4.2: employees may work from home up to three days a week.\",\"reason\":\"it helps to answer the question\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'a26207eecbb4e25c7ed43873def39e0a',0,'ExtractStatements',0,0.883118000047034,1,0,0,0.0,'{"response":"{\"statements\":[\"You may work from home five days a week.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'3b399d54a662cc44762b3ad524b975ae',0,'JudgeAgreement',0,8.70729899997968459501e+00,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":null,\"reason\":\"another number: the statement says \\\"five\\\", the passage \\\"three\\\": You may work from home five days a week.\",\"verdict\":\"no\"}]}","beside":{"probabilities":[0.1687803371688094]},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'7301f55c8499ebd735f93d263f0413e3',1,'JudgeUsefulness',0,3.94345789999306362005e+01,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":null,\"reason\":\"it holds what the expected output says\",\"verdict\":\"yes\"},{\"item\":null,\"passage\":null,\"reason\":\"it does not hold what the expected output says\",\"verdict\":\"no\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'8ffcf6c4644e1c01871941dffd710f23',1,'AttributeStatements',0,2.25265930000659864163e+01,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":1,\"statement\":\"At 11:30.\",\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'9f69febc7c311f99ad1592583b2f2be7',1,'JudgePassages',0,3.46387399997638567583e+00,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":1,\"statement\":\"The canteen opens at 11:30 on weekdays.\",\"reason\":\"it helps to answer the question\",\"verdict\":\"yes\"},{\"item\":null,\"passage\":2,\"statement\":\"Parking is free.\",\"reason\":\"it does not help to answer the question\",\"verdict\":\"no\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'69060445b99bc76e295444d44d1903c7',1,'ExtractStatements',0,4.38029999941136338748e-01,1,0,0,0.0,'{"response":"{\"statements\":[\"The canteen opens at 11:30.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'595660892911c58d2ac9d5ad3fcbfa1a',1,'JudgeAgreement',0,3.60857399994074512505e+00,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":null,\"reason\":\"the passage says so\",\"verdict\":\"yes\"},{\"item\":null,\"passage\":null,\"reason\":\"not mentioned: \\\"canteen\\\", \\\"opens\\\", \\\"11:30\\\" are not found\",\"verdict\":\"idk\"}]}","beside":{"probabilities":[0.9909935401829845,0.06393454545736438]},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'18eb7e5041cb75fd66fc074bd57388c6',2,'ExtractStatements',0,1.96986999981163535267e-01,1,0,0,0.0,'{"response":"{\"statements\":[\"I do not know.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'32a97e8906bde9c89c7b8240299ebb57',0,'ExtractClaims',0,1.2591300001076888293e+00,1,0,0,0.0,'{"response":"{\"claims\":[\"You may work from home five days a week.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'76222b3f3b0e7be90c433bf5de2db88f',0,'ExtractTruths',0,1.26769499991041811881e+00,1,0,0,0.0,'{"response":"{\"truths\":[{\"passage\":1,\"fact\":\"Policy 4.2: employees may work from home up to three days a week.\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'cd5fec15a68f47a9ad157ded547f92e2',1,'ExtractClaims',0,1.0462230000030103838e+00,1,0,0,0.0,'{"response":"{\"claims\":[\"The canteen opens at 11:30.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'75b717f9f675e28e32a7b26db34dd388',1,'ExtractTruths',0,0.270985000042856,1,0,0,0.0,'{"response":"{\"truths\":[{\"passage\":1,\"fact\":\"The canteen opens at 11:30 on weekdays.\"},{\"passage\":2,\"fact\":\"Parking is free.\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'fa4a89c5056be18a644a1667de3f3a4e',0,'JudgeStatements',0,6.00747289998935229959e+01,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":null,\"reason\":\"it is relevant to the question\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'cb35256fd0a21111ffaa806afcb57809',1,'JudgeStatements',0,2.132151900002554612e+01,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":null,\"reason\":\"it is relevant to the question\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'4852db431b2e31303153de977a1759fd',2,'JudgeStatements',0,1.73181080000404108432e+01,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":null,\"reason\":\"it is not relevant to the question\",\"verdict\":\"no\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'28244798af795bf54fcf5dc7bd9d107d',0,'JudgeClaims',0,67.5552410000364,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":null,\"reason\":\"another number: the statement says \\\"five\\\", the passage \\\"three\\\"\",\"verdict\":\"no\"}]}","beside":{"probabilities":[0.0804859665913306]},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'0f7a6f5e85ab32b0702510708645fac8',1,'JudgeClaims',0,6.35341610000068612862e+01,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"item\":null,\"passage\":null,\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{"probabilities":[0.9525405818856668]},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
CREATE TABLE feedback (
	"key" VARCHAR(32) NOT NULL, 
	id TEXT NOT NULL, 
	source VARCHAR(8) NOT NULL, 
	origin VARCHAR(64) NOT NULL, 
	trace_id VARCHAR(64) NOT NULL, 
	span_id VARCHAR(64) NOT NULL, 
	session_hash VARCHAR(32) NOT NULL, 
	author_hash VARCHAR(32) NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	thumb VARCHAR(4) NOT NULL, 
	score FLOAT, 
	label TEXT NOT NULL, 
	comment TEXT NOT NULL, 
	correction TEXT NOT NULL, 
	received FLOAT NOT NULL, 
	updated FLOAT NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE results (
	run INTEGER NOT NULL, 
	case_index BIGINT NOT NULL, 
	metric_index INTEGER NOT NULL, 
	case_key VARCHAR(32) NOT NULL, 
	case_id TEXT NOT NULL, 
	metric TEXT NOT NULL, 
	spec TEXT NOT NULL, 
	status VARCHAR(8) NOT NULL, 
	score FLOAT, 
	success BOOLEAN NOT NULL, 
	error_kind TEXT, 
	latency_ms FLOAT NOT NULL, 
	calls INTEGER NOT NULL, 
	input_tokens BIGINT NOT NULL, 
	output_tokens BIGINT NOT NULL, 
	cached_tokens BIGINT NOT NULL, 
	cost FLOAT, 
	body TEXT NOT NULL, 
	serial BIGINT DEFAULT '0' NOT NULL, 
	shortfall FLOAT, 
	PRIMARY KEY (run, case_index, metric_index)
);
INSERT INTO "results" VALUES(1,2,0,'d18685d39cc24e52638628cce5a6b5d9','c','Faithfulness','faithfulness','ERROR',NULL,0,'MissingField',2.10625232999996114813e+03,0,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":null,"success":false,"reason":null,"threshold":0.5,"higher_is_better":true,"error":"MissingField: Faithfulness needs ''retrieval_context'': not given by test case ''c''. Fill in ''retrieval_context'', or leave the metric out.","error_type":"MissingField","error_status":null,"skipped":false,"metadata":{},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":2106.252329999961,"case_id":"c","judge":"local"}',1,NULL);
INSERT INTO "results" VALUES(1,2,1,'d18685d39cc24e52638628cce5a6b5d9','c','ContextualRecall','contextual_recall','ERROR',NULL,0,'MissingField',2.10646982600007959263e+03,0,0,0,0,0.0,'{"metric":"ContextualRecall","spec":"contextual_recall","score":null,"success":false,"reason":null,"threshold":0.5,"higher_is_better":true,"error":"MissingField: ContextualRecall needs ''expected_output'' and ''retrieval_context'': not given by test case ''c''. Fill in ''expected_output'' and ''retrieval_context'', or leave the metric out.","error_type":"MissingField","error_status":null,"skipped":false,"metadata":{},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":2106.4698260000796,"case_id":"c","judge":"local"}',2,NULL);
INSERT INTO "results" VALUES(1,0,1,'8187a0488e33b59bafc0b6d2cd783fc5','a','ContextualRecall','contextual_recall','PASS',1.0,1,NULL,2.10746944999993957026e+03,1,0,0,0,0.0,'{"metric":"ContextualRecall","spec":"contextual_recall","score":1.0,"success":true,"reason":"1 of 1 statements of the expected output are supported.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"verdicts":[{"statement":"Up to three days a week.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,64],"probability":0.8155988419989139}],"statements":["Up to three days a week."],"facts":[{"fact":"Up to three days a week.","covered":true,"source_context":1}]},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":2107.4694499999396,"case_id":"a","judge":"local"}',3,-0.5);
INSERT INTO "results" VALUES(1,1,1,'46a2b21334d88259d35a0fe5b4be9c96','b','ContextualRecall','contextual_recall','PASS',1.0,1,NULL,2.10747438900000361172e+03,1,0,0,0,0.0,'{"metric":"ContextualRecall","spec":"contextual_recall","score":1.0,"success":true,"reason":"1 of 1 statements of the expected output are supported.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"verdicts":[{"statement":"At 11:30.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,38],"probability":0.8558033743558976}],"statements":["At 11:30."],"facts":[{"fact":"At 11:30.","covered":true,"source_context":1}]},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":2107.4743890000036,"case_id":"b","judge":"local"}',4,-0.5);
INSERT INTO "results" VALUES(1,0,0,'8187a0488e33b59bafc0b6d2cd783fc5','a','Faithfulness','faithfulness','FAIL',0.0,0,NULL,2.31284723900000699359e+03,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":0.0,"success":false,"reason":"0 of 1 claims are supported. Contradicted: “You may work from home five days a week.” (another number: the statement says \"five\", the passage \"three\").","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"claims":["You may work from home five days a week."],"truths":["Policy 4.2: employees may work from home up to three days a week."],"verdicts":[{"statement":"You may work from home five days a week.","verdict":"no","reason":"another number: the statement says \"five\", the passage \"three\"","passage":1,"span":[0,64],"probability":0.0804859665913306}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":2312.847239000007,"case_id":"a","judge":"local"}',5,0.5);
INSERT INTO "results" VALUES(1,1,0,'46a2b21334d88259d35a0fe5b4be9c96','b','Faithfulness','faithfulness','PASS',1.0,1,NULL,2.31281015899992326012e+03,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":1.0,"success":true,"reason":"1 of 1 claims are supported.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"claims":["The canteen opens at 11:30."],"truths":["The canteen opens at 11:30 on weekdays.","Parking is free."],"verdicts":[{"statement":"The canteen opens at 11:30.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,38],"probability":0.9525405818856668}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":2312.8101589999233,"case_id":"b","judge":"local"}',6,-0.5);
INSERT INTO "results" VALUES(2,2,0,'d18685d39cc24e52638628cce5a6b5d9','c','ContextualPrecision','contextual_precision','SKIPPED',NULL,0,NULL,1.74885357300001942348e+03,0,0,0,0,0.0,'{"metric":"ContextualPrecision","spec":"contextual_precision","score":null,"success":false,"reason":"ContextualPrecision needs ''expected_output'' and ''retrieval_context'': not given by test case ''c''. Fill in ''expected_output'' and ''retrieval_context'', or leave the metric out.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":true,"metadata":{},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1748.8535730000194,"case_id":"c","judge":"local"}',1,NULL);
INSERT INTO "results" VALUES(2,2,1,'d18685d39cc24e52638628cce5a6b5d9','c','ContextualRecall','contextual_recall','SKIPPED',NULL,0,NULL,1.74899673099992014613e+03,0,0,0,0,0.0,'{"metric":"ContextualRecall","spec":"contextual_recall","score":null,"success":false,"reason":"ContextualRecall needs ''expected_output'' and ''retrieval_context'': not given by test case ''c''. Fill in ''expected_output'' and ''retrieval_context'', or leave the metric out.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":true,"metadata":{},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1748.9967309999201,"case_id":"c","judge":"local"}',2,NULL);
INSERT INTO "results" VALUES(2,2,2,'d18685d39cc24e52638628cce5a6b5d9','c','ContextualRelevancy','contextual_relevancy','SKIPPED',NULL,0,NULL,1.74905293599999822617e+03,0,0,0,0,0.0,'{"metric":"ContextualRelevancy","spec":"contextual_relevancy","score":null,"success":false,"reason":"ContextualRelevancy needs ''retrieval_context'': not given by test case ''c''. Fill in ''retrieval_context'', or leave the metric out.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":true,"metadata":{},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1749.0529359999982,"case_id":"c","judge":"local"}',3,NULL);
INSERT INTO "results" VALUES(2,2,4,'d18685d39cc24e52638628cce5a6b5d9','c','Faithfulness','faithfulness','SKIPPED',NULL,0,NULL,5.53360699996119365096e+00,0,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":null,"success":false,"reason":"Faithfulness needs ''retrieval_context'': not given by test case ''c''. Fill in ''retrieval_context'', or leave the metric out.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":true,"metadata":{},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":5.533606999961194,"case_id":"c","judge":"local"}',4,NULL);
INSERT INTO "results" VALUES(2,2,5,'d18685d39cc24e52638628cce5a6b5d9','c','Hallucination','hallucination','SKIPPED',NULL,0,NULL,5.49178799997207534033e+00,0,0,0,0,0.0,'{"metric":"Hallucination","spec":"hallucination","score":null,"success":false,"reason":"Hallucination needs ''context'': not given by test case ''c''. Fill in ''context'', or leave the metric out.","threshold":0.5,"higher_is_better":false,"error":null,"error_type":null,"error_status":null,"skipped":true,"metadata":{},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":5.491787999972075,"case_id":"c","judge":"local"}',5,NULL);
INSERT INTO "results" VALUES(2,0,0,'8187a0488e33b59bafc0b6d2cd783fc5','a','ContextualPrecision','contextual_precision','PASS',1.0,1,NULL,1.75455919000000903906e+03,1,0,0,0,0.0,'{"metric":"ContextualPrecision","spec":"contextual_precision","score":1.0,"success":true,"reason":"1 of 1 passages are useful, at rank 1.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"verdicts":[{"statement":"Policy 4.2: employees may work from home up to three days a week.","verdict":"yes","reason":"it holds what the expected output says","passage":1,"span":null,"probability":null}],"context_count":1,"relevant_count":1},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1754.559190000009,"case_id":"a","judge":"local"}',6,-0.5);
INSERT INTO "results" VALUES(2,0,1,'8187a0488e33b59bafc0b6d2cd783fc5','a','ContextualRecall','contextual_recall','PASS',1.0,1,NULL,1.75457207500005551992e+03,1,0,0,0,0.0,'{"metric":"ContextualRecall","spec":"contextual_recall","score":1.0,"success":true,"reason":"1 of 1 statements of the expected output are supported.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"verdicts":[{"statement":"Up to three days a week.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,64],"probability":0.8155988419989139}],"statements":["Up to three days a week."],"facts":[{"fact":"Up to three days a week.","covered":true,"source_context":1}]},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1754.5720750000555,"case_id":"a","judge":"local"}',7,-0.5);
INSERT INTO "results" VALUES(2,0,2,'8187a0488e33b59bafc0b6d2cd783fc5','a','ContextualRelevancy','contextual_relevancy','PASS',1.0,1,NULL,1.75459673099999236001e+03,1,0,0,0,0.0,'{"metric":"ContextualRelevancy","spec":"contextual_relevancy","score":1.0,"success":true,"reason":"1 of 1 statements in the passages are relevant to the input.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"verdicts":[{"statement":"Policy 4.2: employees may work from home up to three days a week.","verdict":"yes","reason":"it helps to answer the question","passage":1,"span":null,"probability":null}],"statements":["Policy 4.2: employees may work from home up to three days a week."]},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1754.5967309999924,"case_id":"a","judge":"local"}',8,-0.5);
INSERT INTO "results" VALUES(2,0,5,'8187a0488e33b59bafc0b6d2cd783fc5','a','Hallucination','hallucination','FAIL',1.0,0,NULL,1.75461227099992811417e+03,1,0,0,0,0.0,'{"metric":"Hallucination","spec":"hallucination","score":1.0,"success":false,"reason":"The actual output contradicts 1 of 1 contexts. Contradicted: “Policy 4.2: employees may work from home up to three days a week.” (another number: the statement says \"five\", the passage \"three\": You may work from home five days a week).","threshold":0.5,"higher_is_better":false,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"verdicts":[{"statement":"Policy 4.2: employees may work from home up to three days a week.","verdict":"no","reason":"another number: the statement says \"five\", the passage \"three\": You may work from home five days a week.","passage":1,"span":[0,64],"probability":0.1687803371688094}],"context_count":1},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1754.6122709999281,"case_id":"a","judge":"local"}',9,0.5);
INSERT INTO "results" VALUES(2,1,0,'46a2b21334d88259d35a0fe5b4be9c96','b','ContextualPrecision','contextual_precision','PASS',1.0,1,NULL,1.75463895000007141788e+03,1,0,0,0,0.0,'{"metric":"ContextualPrecision","spec":"contextual_precision","score":1.0,"success":true,"reason":"1 of 2 passages are useful, at rank 1.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"verdicts":[{"statement":"The canteen opens at 11:30 on weekdays.","verdict":"yes","reason":"it holds what the expected output says","passage":1,"span":null,"probability":null},{"statement":"Parking is free.","verdict":"no","reason":"it does not hold what the expected output says","passage":2,"span":null,"probability":null}],"context_count":2,"relevant_count":1},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1754.6389500000714,"case_id":"b","judge":"local"}',10,-0.5);
INSERT INTO "results" VALUES(2,1,1,'46a2b21334d88259d35a0fe5b4be9c96','b','ContextualRecall','contextual_recall','PASS',1.0,1,NULL,1.75465090200009399268e+03,1,0,0,0,0.0,'{"metric":"ContextualRecall","spec":"contextual_recall","score":1.0,"success":true,"reason":"1 of 1 statements of the expected output are supported.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"verdicts":[{"statement":"At 11:30.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,38],"probability":0.8558033743558976}],"statements":["At 11:30."],"facts":[{"fact":"At 11:30.","covered":true,"source_context":1}]},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1754.650902000094,"case_id":"b","judge":"local"}',11,-0.5);
INSERT INTO "results" VALUES(2,1,2,'46a2b21334d88259d35a0fe5b4be9c96','b','ContextualRelevancy','contextual_relevancy','PASS',0.5,1,NULL,1.75489480799990360537e+03,1,0,0,0,0.0,'{"metric":"ContextualRelevancy","spec":"contextual_relevancy","score":0.5,"success":true,"reason":"1 of 2 statements in the passages are relevant to the input. Irrelevant: “Parking is free.” (it does not help to answer the question).","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"verdicts":[{"statement":"The canteen opens at 11:30 on weekdays.","verdict":"yes","reason":"it helps to answer the question","passage":1,"span":null,"probability":null},{"statement":"Parking is free.","verdict":"no","reason":"it does not help to answer the question","passage":2,"span":null,"probability":null}],"statements":["The canteen opens at 11:30 on weekdays.","Parking is free."]},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1754.8948079999036,"case_id":"b","judge":"local"}',12,0.0);
INSERT INTO "results" VALUES(2,1,5,'46a2b21334d88259d35a0fe5b4be9c96','b','Hallucination','hallucination','PASS',0.0,1,NULL,1.7548756509999066111e+03,1,0,0,0,0.0,'{"metric":"Hallucination","spec":"hallucination","score":0.0,"success":true,"reason":"The actual output contradicts 0 of 2 contexts.","threshold":0.5,"higher_is_better":false,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"verdicts":[{"statement":"The canteen opens at 11:30 on weekdays.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,38],"probability":0.9909935401829845},{"statement":"Parking is free.","verdict":"idk","reason":"not mentioned: \"canteen\", \"opens\", \"11:30\" are not found","passage":2,"span":null,"probability":0.06393454545736438}],"context_count":2},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1754.8756509999066,"case_id":"b","judge":"local"}',13,-0.5);
INSERT INTO "results" VALUES(2,0,3,'8187a0488e33b59bafc0b6d2cd783fc5','a','AnswerRelevancy','answer_relevancy','PASS',1.0,1,NULL,1.92669620700007726554e+03,2,0,0,0,0.0,'{"metric":"AnswerRelevancy","spec":"answer_relevancy","score":1.0,"success":true,"reason":"1 of 1 statements are relevant to the input.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"statements":["You may work from home five days a week."],"verdicts":[{"statement":"You may work from home five days a week.","verdict":"yes","reason":"it is relevant to the question","passage":null,"span":null,"probability":null}]},"usage":{"calls":2,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1926.6962070000773,"case_id":"a","judge":"local"}',14,-0.5);
INSERT INTO "results" VALUES(2,1,3,'46a2b21334d88259d35a0fe5b4be9c96','b','AnswerRelevancy','answer_relevancy','PASS',1.0,1,NULL,1.9265047889999777908e+03,2,0,0,0,0.0,'{"metric":"AnswerRelevancy","spec":"answer_relevancy","score":1.0,"success":true,"reason":"1 of 1 statements are relevant to the input.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"statements":["The canteen opens at 11:30."],"verdicts":[{"statement":"The canteen opens at 11:30.","verdict":"yes","reason":"it is relevant to the question","passage":null,"span":null,"probability":null}]},"usage":{"calls":2,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1926.5047889999778,"case_id":"b","judge":"local"}',15,-0.5);
INSERT INTO "results" VALUES(2,2,3,'d18685d39cc24e52638628cce5a6b5d9','c','AnswerRelevancy','answer_relevancy','FAIL',0.0,0,NULL,1.99032773900000847788e+03,2,0,0,0,0.0,'{"metric":"AnswerRelevancy","spec":"answer_relevancy","score":0.0,"success":false,"reason":"0 of 1 statements are relevant to the input. Irrelevant: “I do not know.” (it is not relevant to the question).","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"statements":["I do not know."],"verdicts":[{"statement":"I do not know.","verdict":"no","reason":"it is not relevant to the question","passage":null,"span":null,"probability":null}]},"usage":{"calls":2,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1990.3277390000085,"case_id":"c","judge":"local"}',16,0.5);
INSERT INTO "results" VALUES(2,0,4,'8187a0488e33b59bafc0b6d2cd783fc5','a','Faithfulness','faithfulness','FAIL',0.0,0,NULL,1.99129319099995427677e+03,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":0.0,"success":false,"reason":"0 of 1 claims are supported. Contradicted: “You may work from home five days a week.” (another number: the statement says \"five\", the passage \"three\").","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"claims":["You may work from home five days a week."],"truths":["Policy 4.2: employees may work from home up to three days a week."],"verdicts":[{"statement":"You may work from home five days a week.","verdict":"no","reason":"another number: the statement says \"five\", the passage \"three\"","passage":1,"span":[0,64],"probability":0.0804859665913306}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1991.2931909999543,"case_id":"a","judge":"local"}',17,0.5);
INSERT INTO "results" VALUES(2,1,4,'46a2b21334d88259d35a0fe5b4be9c96','b','Faithfulness','faithfulness','PASS',1.0,1,NULL,1.99342978799995762528e+03,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":1.0,"success":true,"reason":"1 of 1 claims are supported.","threshold":0.5,"higher_is_better":true,"error":null,"error_type":null,"error_status":null,"skipped":false,"metadata":{"claims":["The canteen opens at 11:30."],"truths":["The canteen opens at 11:30 on weekdays.","Parking is free."],"verdicts":[{"statement":"The canteen opens at 11:30.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,38],"probability":0.9525405818856668}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":1993.4297879999576,"case_id":"b","judge":"local"}',18,-0.5);
CREATE TABLE run_cases (
	run INTEGER NOT NULL, 
	case_index BIGINT NOT NULL, 
	case_key VARCHAR(32) NOT NULL, 
	case_id TEXT NOT NULL, 
	id_hash VARCHAR(32) NOT NULL, 
	question_hash VARCHAR(32) NOT NULL, 
	tags TEXT NOT NULL, 
	passes BIGINT NOT NULL, 
	misses BIGINT NOT NULL, 
	passed INTEGER NOT NULL, 
	missed INTEGER NOT NULL, 
	failed INTEGER NOT NULL, 
	skipped INTEGER NOT NULL, 
	mean FLOAT, 
	shortfall FLOAT, 
	latency_ms FLOAT NOT NULL, 
	cost FLOAT, 
	serial BIGINT NOT NULL, 
	search_text TEXT NOT NULL, 
	PRIMARY KEY (run, case_index)
);
INSERT INTO "run_cases" VALUES(1,2,'d18685d39cc24e52638628cce5a6b5d9','c','caec17f4b8159d486ca352209a0fc2d5','958709ed2725ad6672537620937435eb','[]',0,0,0,0,2,0,NULL,NULL,4.21272215600004074076e+03,0.0,2,'c

no context here?
i do not know.');
INSERT INTO "run_cases" VALUES(1,0,'8187a0488e33b59bafc0b6d2cd783fc5','a','27c35e6e9373877f29e562464e46497e','f51a20779eb790cda855e33bc53dab30','[]',2,1,1,1,0,0,0.5,0.5,4.42031668899994656385e+03,0.0,5,'a

how many days a week may i work from home?
you may work from home five days a week.');
INSERT INTO "run_cases" VALUES(1,1,'46a2b21334d88259d35a0fe5b4be9c96','b','96172b4c53372cd10faddc821bfe0318','ce38592572aa91f94f6da7f51ee80f0c','[]',3,0,2,0,0,0,1.0,-0.5,4.42028454799992687185e+03,0.0,6,'b

when does the canteen open?
the canteen opens at 11:30.');
INSERT INTO "run_cases" VALUES(2,2,'d18685d39cc24e52638628cce5a6b5d9','c','caec17f4b8159d486ca352209a0fc2d5','958709ed2725ad6672537620937435eb','[]',0,8,0,1,0,5,0.0,0.5,7.24825637399987954267e+03,0.0,16,'c

no context here?
i do not know.');
INSERT INTO "run_cases" VALUES(2,0,'8187a0488e33b59bafc0b6d2cd783fc5','a','27c35e6e9373877f29e562464e46497e','f51a20779eb790cda855e33bc53dab30','[]',15,48,4,2,0,0,8.3333333333333337034e-01,0.5,1.0936329665000015666e+04,0.0,17,'a

how many days a week may i work from home?
you may work from home five days a week.');
INSERT INTO "run_cases" VALUES(2,1,'46a2b21334d88259d35a0fe5b4be9c96','b','96172b4c53372cd10faddc821bfe0318','ce38592572aa91f94f6da7f51ee80f0c','[]',63,0,6,0,0,0,0.75,0.0,1.09389948879999101334e+04,0.0,18,'b

when does the canteen open?
the canteen opens at 11:30.');
CREATE TABLE run_datasets (
	run INTEGER NOT NULL, 
	row_limit BIGINT, 
	unit VARCHAR(8) NOT NULL, 
	fingerprints BLOB NOT NULL, 
	PRIMARY KEY (run)
);
INSERT INTO "run_datasets" VALUES(1,NULL,'row',X'AF16B4EE837F997DB876F8CC910AC9F262A979DBC3C93C3F');
INSERT INTO "run_datasets" VALUES(2,NULL,'row',X'AF16B4EE837F997DB876F8CC910AC9F262A979DBC3C93C3F');
CREATE TABLE run_metrics (
	run INTEGER NOT NULL, 
	metric_index INTEGER NOT NULL, 
	metric TEXT NOT NULL, 
	spec TEXT NOT NULL, 
	passed BIGINT NOT NULL, 
	missed BIGINT NOT NULL, 
	failed BIGINT NOT NULL, 
	skipped BIGINT NOT NULL, 
	score FLOAT NOT NULL, 
	squares FLOAT NOT NULL, 
	latency_ms FLOAT NOT NULL, 
	calls BIGINT NOT NULL, 
	input_tokens BIGINT NOT NULL, 
	output_tokens BIGINT NOT NULL, 
	cached_tokens BIGINT NOT NULL, 
	cost FLOAT NOT NULL, 
	unpriced BIGINT NOT NULL, 
	PRIMARY KEY (run, metric_index)
);
INSERT INTO "run_metrics" VALUES(1,0,'Faithfulness','faithfulness',1,1,1,0,1.0,1.0,6.73190972799989140185e+03,6,0,0,0,0.0,0);
INSERT INTO "run_metrics" VALUES(1,1,'ContextualRecall','contextual_recall',2,0,1,0,2.0,2.0,6.32141366500002277462e+03,2,0,0,0,0.0,0);
INSERT INTO "run_metrics" VALUES(2,0,'ContextualPrecision','contextual_precision',2,0,0,1,2.0,2.0,5258.0517130001,2,0,0,0,0.0,0);
INSERT INTO "run_metrics" VALUES(2,1,'ContextualRecall','contextual_recall',2,0,0,1,2.0,2.0,5258.21970800007,2,0,0,0,0.0,0);
INSERT INTO "run_metrics" VALUES(2,2,'ContextualRelevancy','contextual_relevancy',2,0,0,1,1.5,1.25,5.25854447499989419156e+03,2,0,0,0,0.0,0);
INSERT INTO "run_metrics" VALUES(2,4,'Faithfulness','faithfulness',1,1,0,1,1.0,1.0,3.99025658599987309571e+03,6,0,0,0,0.0,0);
INSERT INTO "run_metrics" VALUES(2,5,'Hallucination','hallucination',1,1,0,1,1.0,1.0,3.51497970999980680062e+03,2,0,0,0,0.0,0);
INSERT INTO "run_metrics" VALUES(2,3,'AnswerRelevancy','answer_relevancy',2,1,0,0,2.0,2.0,5.84352873500006353424e+03,6,0,0,0,0.0,0);
CREATE TABLE runs (
	number INTEGER NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	name TEXT, 
	dataset TEXT, 
	judge TEXT NOT NULL, 
	started VARCHAR(40) NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	why TEXT NOT NULL, 
	seconds FLOAT NOT NULL, 
	rejected TEXT NOT NULL, 
	version VARCHAR(32) NOT NULL, 
	body TEXT NOT NULL, 
	tags TEXT DEFAULT '[]' NOT NULL, 
	total BIGINT, 
	done BIGINT DEFAULT '0' NOT NULL, 
	serial BIGINT DEFAULT '0' NOT NULL, 
	heartbeat VARCHAR(40) DEFAULT '' NOT NULL, 
	lease_owner TEXT DEFAULT '' NOT NULL, 
	lease_until FLOAT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE (id)
);
INSERT INTO "runs" VALUES(1,'20261129T060958-53e439',NULL,'small.jsonl','local','2026-11-29T06:09:58.462706+00:00','complete','',2.34299205100001,'[]','0.1.0','{"id":"20261129T060958-53e439","plan":{"combine":false,"name":null,"tags":[],"repeats":1,"cluster":null,"rpm":null,"tpm":null,"max_cost":null,"concurrency":16,"timeout":60.0,"measurement_timeout":null,"workers":null,"metrics":["faithfulness","contextual_recall"],"judge":"local","on_missing":"error","optional":[],"batch":false,"batch_interval":null,"dataset":"small.jsonl","prompts":{}},"started":"2026-11-29T06:09:58.462706Z","notes":[]}','[]',6,6,6,'2026-11-29T06:10:00.808880+00:00','',0.0);
INSERT INTO "runs" VALUES(2,'20261129T061003-e1e38d','second','small.jsonl','local','2026-11-29T06:10:03.456536+00:00','complete','',2.02637150699990797875e+00,'[]','0.1.0','{"id":"20261129T061003-e1e38d","plan":{"combine":false,"name":"second","tags":[],"repeats":1,"cluster":null,"rpm":null,"tpm":null,"max_cost":null,"concurrency":16,"timeout":60.0,"measurement_timeout":null,"workers":null,"metrics":["contextual_precision","contextual_recall","contextual_relevancy","answer_relevancy","faithfulness","hallucination"],"judge":"local","on_missing":"error","optional":["contextual_precision","contextual_recall","contextual_relevancy","answer_relevancy","faithfulness","hallucination"],"batch":false,"batch_interval":null,"dataset":"small.jsonl","prompts":{}},"started":"2026-11-29T06:10:03.456536Z","notes":[]}','[]',18,18,18,'2026-11-29T06:10:05.485327+00:00','',0.0);
CREATE TABLE trace_records (
	trace_id VARCHAR(64) NOT NULL, 
	digest VARCHAR(32) NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (trace_id, digest)
);
CREATE TABLE traces (
	trace_id VARCHAR(64) NOT NULL, 
	state VARCHAR(8) NOT NULL, 
	revision INTEGER NOT NULL, 
	records BIGINT NOT NULL, 
	bytes BIGINT NOT NULL, 
	first_received FLOAT NOT NULL, 
	last_received FLOAT NOT NULL, 
	rooted BOOLEAN NOT NULL, 
	user_hash VARCHAR(32) NOT NULL, 
	session VARCHAR(32) DEFAULT '' NOT NULL, 
	attempts INTEGER NOT NULL, 
	not_before FLOAT NOT NULL, 
	lease VARCHAR(64) NOT NULL, 
	lease_until FLOAT NOT NULL, 
	error TEXT NOT NULL, 
	PRIMARY KEY (trace_id)
);
CREATE TABLE watch_results (
	watch VARCHAR(200) NOT NULL, 
	unit VARCHAR(200) NOT NULL, 
	judged_by VARCHAR(8) NOT NULL, 
	metric_index INTEGER NOT NULL, 
	trace_id VARCHAR(64) NOT NULL, 
	session VARCHAR(32) DEFAULT '' NOT NULL, 
	metric TEXT NOT NULL, 
	status VARCHAR(8) NOT NULL, 
	score FLOAT, 
	probability FLOAT NOT NULL, 
	received FLOAT NOT NULL, 
	judged FLOAT NOT NULL, 
	revision INTEGER NOT NULL, 
	app_release TEXT NOT NULL, 
	run INTEGER NOT NULL, 
	case_index BIGINT NOT NULL, 
	PRIMARY KEY (watch, unit, judged_by, metric_index)
);
CREATE TABLE watch_state (
	watch VARCHAR(200) NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	body TEXT NOT NULL, 
	updated FLOAT NOT NULL, 
	PRIMARY KEY (watch, name)
);
CREATE INDEX runs_by_start ON runs (started, number);
CREATE INDEX results_by_serial ON results (run, serial);
CREATE INDEX results_by_latency ON results (run, latency_ms);
CREATE INDEX results_by_case ON results (run, case_index, metric_index, status, score);
CREATE INDEX results_by_metric ON results (run, metric_index, status, score);
CREATE INDEX exchanges_by_case ON exchanges (run, case_index);
CREATE INDEX run_cases_by_id ON run_cases (run, id_hash, passes, misses, case_index);
CREATE INDEX run_cases_by_key ON run_cases (case_key);
CREATE INDEX run_cases_by_question ON run_cases (run, question_hash, id_hash, passes, misses, case_index);
CREATE INDEX run_cases_by_worst ON run_cases (run, missed, shortfall, failed, case_index);
CREATE UNIQUE INDEX annotations_one ON annotations (run, case_index, about, statement, annotator);
CREATE INDEX traces_by_lease ON traces (lease);
CREATE INDEX traces_by_session ON traces (session, state);
CREATE INDEX traces_by_state ON traces (state, last_received);
CREATE INDEX traces_by_user ON traces (user_hash);
CREATE INDEX watch_results_by_time ON watch_results (watch, judged_by, metric_index, received);
CREATE INDEX watch_results_by_trace ON watch_results (trace_id);
CREATE INDEX watch_results_by_case ON watch_results (run, case_index);
CREATE INDEX watch_results_by_session ON watch_results (session);
CREATE INDEX feedback_by_origin ON feedback (origin);
CREATE INDEX feedback_by_time ON feedback (received);
CREATE INDEX feedback_by_trace ON feedback (trace_id);
CREATE INDEX feedback_by_span ON feedback (span_id);
CREATE INDEX feedback_by_session ON feedback (session_hash);
CREATE INDEX feedback_by_author ON feedback (author_hash);
COMMIT;